import type { Refusal } from '../server/refusal';
import { useText } from '../text';

/** Why the server did not answer as hoped, what it said, and what can be done. */
export function RefusalText({ refusal }: { refusal: Refusal }) {
  const t = useText();
  return (
    <>
      {t(`refusal.${refusal.kind}`)} <span className="va-quiet">{t('refusal.words', { status: refusal.status ?? '–', message: refusal.message })}</span>
    </>
  );
}
