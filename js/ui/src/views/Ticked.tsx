import { Fragment } from 'react';

/** A message of the engine's: what stands in backticks is code. */
export function Ticked({ text }: { text: string }) {
  return (
    <>
      {text.split('`').map((part, index) =>
        index % 2 === 1 ? (
          // The parts of a message have no identity but their place.
          <code key={index}>{part}</code>
        ) : (
          <Fragment key={index}>{part}</Fragment>
        ),
      )}
    </>
  );
}
