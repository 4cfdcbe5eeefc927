import { Fragment, memo } from 'react';

/** A text with keys, strings and comments told apart, for reading. */
export const YamlText = memo(function YamlText({ text, label }: { text: string; label: string }) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <pre className="va-code" tabIndex={0} role="region" aria-label={label}>
      {text.trimEnd().split('\n').map((line, index) => (
        <Fragment key={index}>
          <YamlLine line={line} />
          {'\n'}
        </Fragment>
      ))}
    </pre>
  );
});

const KEY = /^(\s*(?:- )*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#'"-][^#]*?|-[^\s][^#]*?)(:)(\s.*|)$/;

function YamlLine({ line }: { line: string }) {
  if (/^\s*#/.test(line)) return <span className="va-yaml-comment">{line}</span>;
  const [, indent, key, colon, rest] = KEY.exec(line) ?? [];
  if (key === undefined) return <span>{line}</span>;
  return (
    <>
      {indent}
      <span className="va-yaml-key">{key}</span>
      {colon}
      <span className={/^\s*["']/.test(rest ?? '') ? 'va-yaml-string' : 'va-yaml-value'}>{rest}</span>
    </>
  );
}
