import { Button, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';

import { type DiffLine, type Hunk, diffLines, hunksOf, pairLines } from '../lines.js';
import { useText } from '../text.js';

export type DiffLayout = 'split' | 'unified';

export interface DiffViewProps {
  before: string;
  after: string;
  names: { before: string; after: string };
  /** How it is laid out at first. By default in columns where there is room for them. */
  layout?: DiffLayout;
}

const CONTEXT = 3;
/** The width from which two columns read well, in pixels. */
const ROOM_FOR_COLUMNS = 900;
/** Texts above this length are not compared line by line, in characters. */
const MAX_LENGTH = 1_000_000;

/** Two texts line by line, in columns or one below the other; unchanged stretches unfold. */
export function DiffView({ before, after, names, layout: initial }: DiffViewProps) {
  const t = useText();
  const [layout, setLayout] = useState<DiffLayout>(initial ?? 'unified');
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (initial === undefined && (frame.current?.clientWidth ?? 0) >= ROOM_FOR_COLUMNS) setLayout('split');
  }, [initial]);
  const tooLong = before.length + after.length > MAX_LENGTH;
  const hunks = useMemo(() => (tooLong ? [] : hunksOf(diffLines(before, after), CONTEXT)), [before, after, tooLong]);
  if (tooLong) return <p className="va-quiet">{t('diff.tooLong')}</p>;
  if (hunks.every((hunk) => hunk.hidden)) return <p className="va-quiet">{t('diff.same')}</p>;
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return (
    <div className="va-diff" ref={frame}>
      <div className="va-diff__bar">
        <span className="va-diff__count">
          <span className="va-diff__plus">+{count('added')}</span> <span className="va-diff__minus">−{count('removed')}</span>{' '}
          <span className="va-quiet">
            {names.before} → {names.after}
          </span>
        </span>
        <ToggleGroup isCompact aria-label={t('diff.mode')}>
          {(['split', 'unified'] as const).map((choice) => (
            <ToggleGroupItem
              key={choice}
              text={t(`diff.${choice}`)}
              isSelected={layout === choice}
              onChange={() => { setLayout(choice); }}
            />
          ))}
        </ToggleGroup>
      </div>
      {/* A region that scrolls must be reachable by keyboard. */}
      <div className="va-diff__scroll" tabIndex={0} role="region" aria-label={t('diff.label', names)}>
        <table className={`va-diff__table va-diff__table--${layout}`}>
          <colgroup>
            {(layout === 'split' ? ['number', 'line', 'number', 'line'] : ['number', 'number', 'line']).map((column, index) => (
              <col key={index} className={`va-diff__col-${column}`} />
            ))}
          </colgroup>
          {hunks.map((hunk, index) => (
            <HunkRows key={`${layout} ${index}`} hunk={hunk} layout={layout} />
          ))}
        </table>
      </div>
    </div>
  );
}

function HunkRows({ hunk, layout }: { hunk: Hunk; layout: DiffLayout }) {
  const t = useText();
  const [open, setOpen] = useState(!hunk.hidden);
  if (!open) {
    return (
      <tbody>
        <tr className="va-diff__fold">
          <td colSpan={layout === 'split' ? 4 : 3}>
            <Button variant="link" isInline size="sm" onClick={() => { setOpen(true); }}>
              ⋯ {t('diff.hidden', { count: hunk.lines.length })}
            </Button>
          </td>
        </tr>
      </tbody>
    );
  }
  if (layout === 'unified') {
    return (
      <tbody>
        {hunk.lines.map((line) => (
          <tr key={`${line.before ?? ''}:${line.after ?? ''}`} className={`va-diff__row va-diff__row--${line.kind}`}>
            <td className="va-diff__number">{line.before}</td>
            <td className="va-diff__number">{line.after}</td>
            <LineCell line={line} />
          </tr>
        ))}
      </tbody>
    );
  }
  return (
    <tbody>
      {pairLines(hunk.lines).map(([left, right]) => (
        <tr key={`${left?.before ?? ''}:${right?.after ?? ''}`}>
          <td className="va-diff__number">{left?.before}</td>
          <LineCell line={left} />
          <td className="va-diff__number">{right?.after}</td>
          <LineCell line={right} />
        </tr>
      ))}
    </tbody>
  );
}

function LineCell({ line }: { line: DiffLine | undefined }) {
  const t = useText();
  if (line === undefined) return <td className="va-diff__line va-diff__line--none" />;
  const mark = line.kind === 'added' ? '+' : line.kind === 'removed' ? '−' : ' ';
  return (
    <td className={`va-diff__line va-diff__line--${line.kind}`}>
      <span className="va-diff__mark" aria-hidden="true">
        {mark}
      </span>
      {line.kind !== 'same' && <span className="va-hidden">{t(`diff.${line.kind}`)}: </span>}
      {line.text}
    </td>
  );
}
