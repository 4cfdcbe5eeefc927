import {
  Alert,
  Button,
  Content,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
} from '@patternfly/react-core';
import type { K8sModel } from '@openshift-console/dynamic-plugin-sdk';
import { useEffect, useState } from 'react';
import { CopyButton, DiffView, YamlText, nameOf } from 'virt-autopilot-ui';

import { type AnnotationChange, annotate } from '../server/annotate';
import type { Refusal } from '../server/refusal';
import { useText } from '../text';
import type { KubeObject } from '../types';
import { RefusalText } from './RefusalText';
import { UiTexts } from './UiTexts';

export interface ConfirmAnnotationProps {
  model: K8sModel;
  live: KubeObject;
  change: AnnotationChange;
  /** The manifest for Git, as YAML. */
  manifest: string;
  closeOverlay: () => void;
}

type Step = { kind: 'rehearsing' | 'ready' | 'writing' | 'written' } | { kind: 'refused'; refusal: Refusal };

/** Shows the exact change of an annotation, and writes it once that is confirmed. */
export function ConfirmAnnotation({ model, live, change, manifest, closeOverlay }: ConfirmAnnotationProps) {
  const t = useText();
  const [step, setStep] = useState<Step>({ kind: 'rehearsing' });
  useEffect(() => {
    let isCurrent = true;
    void annotate(model, live, change, { isRehearsal: true }).then((refusal) => {
      if (isCurrent) setStep(refusal ? { kind: 'refused', refusal } : { kind: 'ready' });
    });
    return () => {
      isCurrent = false;
    };
  }, [model, live, change]);
  const write = () => {
    setStep({ kind: 'writing' });
    void annotate(model, live, change, { isRehearsal: false }).then((refusal) => {
      setStep(refusal ? { kind: 'refused', refusal } : { kind: 'written' });
    });
  };
  const { name = '', namespace } = live.metadata ?? {};
  const subject = nameOf({ kind: live.kind, name, ...(namespace !== undefined && { namespace }) });

  return (
    <UiTexts>
      <Modal isOpen variant="large" onClose={closeOverlay} aria-labelledby="va-confirm-title" aria-describedby="va-confirm-body">
        <ModalHeader labelId="va-confirm-title" title={t('annotate.title', { object: subject })} description={t('annotate.gitOwns')} />
        <ModalBody id="va-confirm-body">
          <div className="va-stack">
            <DescriptionList isHorizontal isCompact>
              <DescriptionListGroup>
                <DescriptionListTerm>{t('annotate.object')}</DescriptionListTerm>
                <DescriptionListDescription>{subject}</DescriptionListDescription>
              </DescriptionListGroup>
              <DescriptionListGroup>
                <DescriptionListTerm>{t('annotate.annotation')}</DescriptionListTerm>
                <DescriptionListDescription>
                  <code>{change.annotation}</code>
                </DescriptionListDescription>
              </DescriptionListGroup>
            </DescriptionList>
            <DiffView
              layout="unified"
              before={lines(change.before)}
              after={lines(change.after)}
              names={{ before: t('annotate.now'), after: change.after === null ? t('annotate.removed') : t('annotate.then') }}
            />
            <div>
              <div className="va-snippet__head">
                <h3 className="va-heading va-heading--flush">{t('annotate.manifest')}</h3>
                <CopyButton text={manifest} what={t('annotate.manifest')} />
              </div>
              <YamlText text={manifest} label={t('annotate.manifest')} />
            </div>
            <div role="status">
              {step.kind === 'rehearsing' && <Content component="small">{t('annotate.rehearsing')}</Content>}
              {step.kind === 'ready' && <Alert isInline isPlain variant="info" component="p" title={t('annotate.ready')} />}
              {step.kind === 'written' && <Alert isInline variant="success" component="p" title={t('annotate.written')} />}
              {step.kind === 'refused' && (
                <Alert isInline variant="danger" component="p" title={t('annotate.refused')}>
                  <RefusalText refusal={step.refusal} />
                </Alert>
              )}
            </div>
          </div>
        </ModalBody>
        <ModalFooter>
          {step.kind === 'written' ? (
            <Button variant="primary" onClick={closeOverlay}>
              {t('annotate.close')}
            </Button>
          ) : (
            <>
              <Button
                variant="primary"
                isDisabled={step.kind !== 'ready'}
                isLoading={step.kind === 'writing' || step.kind === 'rehearsing'}
                onClick={write}
              >
                {change.after === null ? t('annotate.remove') : t('annotate.write')}
              </Button>
              <Button variant="link" onClick={closeOverlay}>
                {t('annotate.cancel')}
              </Button>
            </>
          )}
        </ModalFooter>
      </Modal>
    </UiTexts>
  );
}

function lines(value: string | null): string {
  if (value === null) return '';
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? JSON.stringify(parsed, null, 1) : value;
  } catch {
    return value;
  }
}
