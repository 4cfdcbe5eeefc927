import { Fragment } from 'react';

/** A pointer or path as code, which breaks at its slashes where it must break. */
export function PathText({ path }: { path: string }) {
  const [first = '', ...rest] = path.split('/');
  return (
    <code className="va-break">
      {first}
      {rest.map((part, index) => (
        // A path has no order but its own.
        <Fragment key={index}>
          <wbr />/{part}
        </Fragment>
      ))}
    </code>
  );
}
