import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader, Spinner, TextInput } from '@patternfly/react-core';
import { useEffect, useState } from 'react';
import type { Demo } from 'virt-autopilot';
import { CopyButton, Ticked, bytes } from 'virt-autopilot-ui';

import type { Session } from '../session';
import { t } from '../texts';
import { LONG_LINK, MAX_LINK, fragmentOf } from './link';

/** Shows the link that holds the session, with its size. */
export function ShareDialog({ session, demo, onClose }: { session: Session; demo: Demo; onClose: () => void }) {
  const [link, setLink] = useState<string>();
  useEffect(() => {
    let gone = false;
    void fragmentOf(session, demo).then((fragment) => {
      if (!gone) setLink(`${location.href.split('#')[0] ?? ''}#${fragment}`);
    });
    return () => { gone = true; };
  }, [session, demo]);

  return (
    <Modal isOpen variant="medium" onClose={onClose} aria-labelledby="share-title" aria-describedby="share-body">
      <ModalHeader title={t('share.title')} labelId="share-title" />
      <ModalBody id="share-body">
        <p>
          <Ticked text={t('share.intro')} />
        </p>
        {link === undefined ? (
          <Spinner size="md" aria-label={t('share.packing')} />
        ) : link.length > MAX_LINK ? (
          <Alert isInline variant="danger" title={t('share.tooLong', { size: bytes(link.length) })} />
        ) : (
          <>
            <div className="pg-share">
              <TextInput readOnlyVariant="default" aria-label={t('share.link')} value={link} />
              <CopyButton text={link} what={t('share.copyLink')} variant="primary" />
            </div>
            <p className="va-quiet">{t('share.size', { size: bytes(link.length) })}</p>
            {link.length > LONG_LINK && <Alert isInline isPlain variant="warning" title={t('share.long')} />}
          </>
        )}
      </ModalBody>
      <ModalFooter>
        <Button variant="secondary" onClick={onClose}>
          {t('share.close')}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
