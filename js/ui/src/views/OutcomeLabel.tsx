import { Label, type LabelProps } from '@patternfly/react-core';
import BanIcon from '@patternfly/react-icons/dist/esm/icons/ban-icon.js';
import CheckCircleIcon from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import ExclamationCircleIcon from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon.js';
import MinusCircleIcon from '@patternfly/react-icons/dist/esm/icons/minus-circle-icon.js';
import PauseCircleIcon from '@patternfly/react-icons/dist/esm/icons/pause-circle-icon.js';
import PlusCircleIcon from '@patternfly/react-icons/dist/esm/icons/plus-circle-icon.js';
import SyncAltIcon from '@patternfly/react-icons/dist/esm/icons/sync-alt-icon.js';
import type { ReactNode } from 'react';

import { type OutcomeKind, type Tone, toneOf } from '../outcomes.js';
import { useText } from '../text.js';

const COLORS: Record<Tone, NonNullable<LabelProps['color']>> = {
  change: 'blue',
  fail: 'red',
  held: 'purple',
  settled: 'green',
  off: 'grey',
};

const ICONS: Record<Tone, ReactNode> = {
  change: <SyncAltIcon />,
  fail: <ExclamationCircleIcon />,
  held: <PauseCircleIcon />,
  settled: <CheckCircleIcon />,
  off: <MinusCircleIcon />,
};

export function outcomeIcon(kind: OutcomeKind): ReactNode {
  if (kind === 'create') return <PlusCircleIcon />;
  if (kind === 'excludedByRule' || kind === 'unmanaged') return <BanIcon />;
  return ICONS[toneOf(kind)];
}

/** The outcome in two words, with its icon and colour. */
export function OutcomeLabel({ kind }: { kind: OutcomeKind }) {
  const t = useText();
  return (
    <Label isCompact color={COLORS[toneOf(kind)]} icon={outcomeIcon(kind)}>
      {t(`outcome.${kind}`)}
    </Label>
  );
}
