import { Alert, ExpandableSection, List, ListItem } from '@patternfly/react-core';
import { useState } from 'react';

import type { Missing } from '../cluster/snapshot';
import { useText } from '../text';

/** How many names are spelt out before the rest is counted. */
const NAMES = 6;

/** What could not be read, and what that does to the preview. */
export function MissingReadings({ missing }: { missing: readonly Missing[] }) {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  if (missing.length === 0) return null;
  const isForbidden = missing.every(({ state }) => state === 'forbidden');
  return (
    <Alert
      isInline
      component="h2"
      variant="warning"
      title={t(isForbidden ? 'missing.forbidden' : 'missing.failed', { count: missing.length })}
    >
      <ExpandableSection
        toggleText={t(isOpen ? 'missing.hide' : 'missing.show')}
        isExpanded={isOpen}
        onToggle={(_event, next) => { setIsOpen(next); }}
      >
        <List>
          {missing.map((entry) => (
            <ListItem key={`${entry.purpose} ${entry.state} ${entry.assumed}`}>
              <div>
                {entry.what.map(({ kind, names }) => (
                  <span key={kind} className="va-missing">
                    <strong>{kind}</strong> {shortened(names)}
                  </span>
                ))}
              </div>
              <div className="va-quiet">
                {entry.state === 'failed' && t('missing.error', { message: entry.messages.join('; ') })}{' '}
                {t(entry.assumed ? `missing.assumed.${entry.purpose === 'crds' ? 'crds' : 'namespaces'}` : `missing.effect.${entry.purpose}`)}
              </div>
            </ListItem>
          ))}
        </List>
      </ExpandableSection>
    </Alert>
  );

  function shortened(names: readonly string[]): string {
    const more = names.length - NAMES;
    return more > 0 ? `${names.slice(0, NAMES).join(', ')}, ${t('missing.more', { count: more })}` : names.join(', ');
  }
}
