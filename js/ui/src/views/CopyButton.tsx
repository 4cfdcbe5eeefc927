import { Button, type ButtonProps } from '@patternfly/react-core';
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/check-icon.js';
import CopyIcon from '@patternfly/react-icons/dist/esm/icons/copy-icon.js';
import { useEffect, useState } from 'react';

import { useText } from '../text.js';

export interface CopyButtonProps {
  /** What is copied, or how it is made when the button is pressed. */
  text: string | (() => string);
  /** The name of what is copied, for screen readers. */
  what: string;
  variant?: ButtonProps['variant'];
}

/** Copies a text and says so. */
export function CopyButton({ text, what, variant = 'secondary' }: CopyButtonProps) {
  const t = useText();
  const [state, setState] = useState<'copy' | 'copied' | 'failed'>('copy');
  useEffect(() => {
    if (state === 'copy') return undefined;
    const timer = setTimeout(() => { setState('copy'); }, 2000);
    return () => { clearTimeout(timer); };
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => { setState('copied'); },
      () => { setState('failed'); },
    );
  };
  return (
    <Button
      variant={variant}
      size="sm"
      icon={state === 'copied' ? <CheckIcon /> : <CopyIcon />}
      aria-label={state === 'copy' ? t('copy.what', { what }) : t(`copy.${state}`)}
      onClick={copy}
    >
      <span aria-live="polite">{t(`copy.${state}`)}</span>
    </Button>
  );
}
