import { useText } from '../text.js';
import type { Change, PayloadChange, PayloadContent } from '../types.js';
import { DiffView } from './DiffView.js';

/** The files and units inside the changed fields, decoded and compared as texts. */
export function PayloadDiffs({ payloads }: { payloads: readonly PayloadChange[] }) {
  const t = useText();
  if (payloads.length === 0) return null;
  return (
    <>
      <h3 className="va-heading">{t('diff.payloads')}</h3>
      {payloads.map((payload) => (
        <PayloadDiff key={payload.path} payload={payload} />
      ))}
    </>
  );
}

export function payloadsOf(changes: readonly Change[]): PayloadChange[] {
  return changes.flatMap(({ payload }) => payload ?? []);
}

function PayloadDiff({ payload }: { payload: PayloadChange }) {
  const t = useText();
  const { before, after } = payload;
  const problem = after?.problem ?? before?.problem;
  const binary = [before, after].find((content) => content && content.text === undefined && content.problem === undefined);
  return (
    <section className="va-payload" aria-label={payload.path}>
      <h4 className="va-payload__path">
        <code className="va-break">{payload.path}</code> <ModeText before={before} after={after} />
      </h4>
      {problem !== undefined ? (
        <p className="va-quiet">{problem}</p>
      ) : payload.sameContent ? (
        <p className="va-quiet">{t('diff.payloadSame')}</p>
      ) : binary ? (
        <p className="va-quiet">{t('diff.payloadBinary', { count: binary.size ?? 0 })}</p>
      ) : (
        <DiffView
          before={before?.text ?? ''}
          after={after?.text ?? ''}
          names={{ before: t('detail.live'), after: t('detail.predicted') }}
          layout="unified"
        />
      )}
    </section>
  );
}

function ModeText({ before, after }: { before: PayloadContent | undefined; after: PayloadContent | undefined }) {
  const t = useText();
  const [from, to] = [before?.mode, after?.mode];
  const one = to ?? from;
  if (one === undefined) return null;
  const text =
    from !== undefined && to !== undefined && from !== to
      ? t('diff.payloadModes', { before: octal(from), after: octal(to) })
      : t('diff.payloadMode', { octal: octal(one), decimal: String(one) });
  return <span className="va-quiet va-small">{text}</span>;
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}
