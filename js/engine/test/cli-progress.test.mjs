// The line that says how far a long simulation has come.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { showProgress } from '../dist/cli/progress.js';

const HOUR = 3_600_000;

/** What is written for reports at these times, each of a share of a day that was played. */
function written(isTerminal, reports) {
  const texts = [];
  let time = 0;
  const progress = showProgress(24 * HOUR, { isTerminal, raw: (text) => texts.push(text) }, () => time);
  for (const [at, playedMs] of reports) {
    time = at;
    progress.report(playedMs);
  }
  progress.done();
  return texts;
}

test('what is over soon has no line', () => {
  assert.deepEqual(written(true, [[0, HOUR], [400, 20 * HOUR]]), []);
});

test('what takes long has one, which is taken away in the end', () => {
  const clear = '\r\u001b[K';
  assert.deepEqual(written(true, [[600, 6 * HOUR], [650, 7 * HOUR], [900, 12.5 * HOUR]]), [
    `${clear}played 6h of 1d, 25 %`,
    `${clear}played 12h 30m of 1d, 52 %`,
    clear,
  ]);
});

test('a file gets none', () => {
  assert.deepEqual(written(false, [[600, 6 * HOUR]]), []);
});
