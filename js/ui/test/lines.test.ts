import { describe, expect, it } from 'vitest';

import { diffLines, hunksOf, pairLines } from '../src/index.js';

function check(before: string, after: string, expected: string[]) {
  const lines = diffLines(before, after);
  const mark = { same: ' ', removed: '-', added: '+' };
  expect(lines.map(({ kind, text }) => mark[kind] + text)).toEqual(expected);
  // Whatever is shown, either side must be whole.
  const side = (leave: string) => lines.filter(({ kind }) => kind !== leave).map(({ text }) => text);
  expect(side('added')).toEqual(before === '' ? [] : before.replace(/\n$/, '').split('\n'));
  expect(side('removed')).toEqual(after === '' ? [] : after.replace(/\n$/, '').split('\n'));
}

describe('diffLines', () => {
  it('finds nothing in equal texts', () => { check('a\nb\n', 'a\nb\n', [' a', ' b']); });
  it('shows a new text as added', () => { check('', 'a\nb\n', ['+a', '+b']); });
  it('shows a text that is gone as removed', () => { check('a\n', '', ['-a']); });
  it('keeps what is common', () => { check('a\nb\nc\nd\n', 'a\nx\nc\nd\n', [' a', '-b', '+x', ' c', ' d']); });
  it('finds the shortest script', () => { check('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc', ['-a', '-b', ' c', '+b', ' a', ' b', '-b', ' a', '+c']); });
  it('gives up on texts that have little in common', () => {
    const text = (prefix: string) => Array.from({ length: 3000 }, (_, index) => `${prefix}${index}`).join('\n');
    const lines = diffLines(text('a'), text('b'));
    expect(lines).toHaveLength(6000);
  });
  it('numbers the lines of both sides', () => {
    expect(diffLines('a\nb\n', 'b\nc\n')).toEqual([
      { kind: 'removed', text: 'a', before: 1 },
      { kind: 'same', text: 'b', before: 2, after: 1 },
      { kind: 'added', text: 'c', after: 2 },
    ]);
  });
});

describe('hunksOf', () => {
  it('folds what is far from a change', () => {
    const text = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    const hunks = hunksOf(diffLines(text, text.replace('line 10', 'other')), 2);
    expect(hunks.map(({ hidden, lines }) => [hidden, lines.length])).toEqual([[true, 8], [false, 6], [true, 7]]);
  });
});

describe('pairLines', () => {
  it('puts a change beside what it replaces', () => {
    const rows = pairLines(diffLines('a\nb\nc\n', 'a\nx\ny\nc\n'));
    expect(rows.map(([left, right]) => [left?.text, right?.text])).toEqual([['a', 'a'], ['b', 'x'], [undefined, 'y'], ['c', 'c']]);
  });
});
