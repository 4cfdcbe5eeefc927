import { describe, expect, it } from 'vitest';

import { placeOf, withAnnotation } from '../src/editor/locate';

const PATCH = 'platform.kubevirt.io/patch';
const OBJECT = { apiVersion: 'x/v1', kind: 'KubeDescheduler', namespace: 'ns', name: 'cluster' };
const TEXT = `# first
apiVersion: v1
kind: Service
metadata:
  name: cluster
  namespace: ns
---
apiVersion: x/v1
kind: KubeDescheduler
metadata:
  name: cluster
  namespace: ns
  annotations:
    other: "1"
    ${PATCH}: |
      [
        {"op": "bad"}
      ]
    ignored: /spec/a
spec:
  mode: Automatic
  list:
    - one
    - two
`;

function check(text: string, source: Parameters<typeof placeOf>[1], expected: string | undefined) {
  const place = placeOf(text, source);
  expect(place && text.slice(place.from, place.to)).toBe(expected);
}

const span = (line: number, column: number, start: number, end: number) => ({ line, column, start, end });

describe('placeOf', () => {
  it('finds a place in a block', () => {
    // `  {"op": "bad"}` of the annotation's text: line 2, column 4 begins the operation's name.
    check(TEXT, { object: OBJECT, annotation: PATCH, span: span(2, 4, 5, 9) }, '"op"');
  });
  it('finds a place in a plain value', () => {
    check(TEXT, { object: OBJECT, annotation: 'ignored', span: span(1, 1, 0, 5) }, '/spec');
  });
  it('finds a place in a quoted value', () => {
    check(TEXT, { object: OBJECT, annotation: 'other', span: span(1, 1, 0, 1) }, '1');
  });
  it('finds an annotation', () => { check(TEXT, { object: OBJECT, annotation: 'other' }, 'other: "1"'); });
  it('finds a field', () => { check(TEXT, { object: OBJECT, pointer: '/spec/mode' }, 'mode: Automatic'); });
  it('finds an item of a list', () => { check(TEXT, { object: OBJECT, pointer: '/spec/list/1' }, 'two'); });
  it('finds what is written of a field that is not', () => { check(TEXT, { object: OBJECT, pointer: '/spec/none/x' }, 'spec:'); });
  it('finds the object where there is nothing better', () => { check(TEXT, { object: OBJECT }, 'apiVersion: x/v1'); });
  it('finds nothing for another object', () => { check(TEXT, { object: { ...OBJECT, name: 'other' } }, undefined); });
  it('finds a place of the file', () => { check(TEXT, { file: 'a.yaml', span: span(1, 1, 0, 7) }, '# first'); });
  it('looks into lists', () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: x/v1\n  kind: KubeDescheduler\n  metadata: {name: cluster, namespace: ns}\n  spec:\n    a: 1\n`;
    check(list, { object: OBJECT, pointer: '/spec/a' }, 'a: 1');
  });
  it('holds at a text that is half typed', () => {
    expect(() => placeOf(`${TEXT}  broken: [\n "`, { object: OBJECT, pointer: '/spec/broken' })).not.toThrow();
  });
});

describe('withAnnotation', () => {
  it.each([
    ['sets', 'other', '2', TEXT.replace('other: "1"', 'other: "2"')],
    ['removes', 'other', null, TEXT.replace('    other: "1"\n', '')],
    ['adds', 'new', 'x', TEXT.replace('    other', '    new: "x"\n    other')],
    ['leaves alone what is not there', 'new', null, TEXT],
  ])('%s', (_name, key, value, expected) => { expect(withAnnotation(TEXT, OBJECT, key, value)).toBe(expected); });
  it('writes several lines as a block', () => {
    expect(withAnnotation(TEXT, OBJECT, PATCH, '[\n  {}\n]\n')).toContain(`${PATCH}: |\n      [\n        {}\n      ]\n    ignored`);
  });
  it('gives up where there are no annotations', () => {
    expect(withAnnotation(TEXT, { ...OBJECT, apiVersion: 'v1', kind: 'Service' }, 'a', 'b')).toBeUndefined();
  });
});
