import { Modal, ModalBody, ModalHeader, SearchInput } from '@patternfly/react-core';
import { useState } from 'react';
import type { Demo } from 'virt-autopilot';
import { Ticked } from 'virt-autopilot-ui';

import { DEMO } from '../session';
import { t } from '../texts';

export interface SamplesDialogProps {
  demo: Demo;
  chosen: string | null;
  onChoose: (sample: string) => void;
  onClose: () => void;
}

/** The demo cluster and its situations, each with what to notice. */
export function SamplesDialog({ demo, chosen, onChoose, onClose }: SamplesDialogProps) {
  const [search, setSearch] = useState('');
  const needle = search.trim().toLowerCase();
  const samples = [
    { name: DEMO, heading: t('samples.demo'), title: t('samples.demoTitle') },
    ...demo.situations.map(({ name, title }) => ({ name, heading: headingOf(name), title })),
  ].filter(({ heading, title }) => `${heading} ${title}`.toLowerCase().includes(needle));
  return (
    <Modal isOpen variant="large" onClose={onClose} aria-labelledby="samples-title" className="pg-samples">
      <ModalHeader title={t('samples.title')} labelId="samples-title" description={t('samples.intro')} />
      <ModalBody tabIndex={0}>
        <SearchInput
          aria-label={t('samples.find')}
          placeholder={t('samples.find')}
          value={search}
          onChange={(_event, value) => { setSearch(value); }}
          onClear={() => { setSearch(''); }}
        />
        {samples.length === 0 ? (
          <p className="va-quiet">{t('samples.none')}</p>
        ) : (
          <ul className="pg-samples__list">
            {samples.map(({ name, heading, title }) => (
              <li key={name}>
                <button
                  type="button"
                  className="pg-sample"
                  data-sample={name}
                  aria-current={name === chosen}
                  onClick={() => { onChoose(name); }}
                >
                  <strong>{heading}</strong>
                  <span>
                    <Ticked text={title} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </ModalBody>
    </Modal>
  );
}

/** `patch-refused-kind` reads `Patch refused kind`. */
export function headingOf(name: string): string {
  const words = name.replaceAll('-', ' ').replace(/\bhco\b/, 'HyperConverged').replace(/\bgitops\b/, 'GitOps');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
