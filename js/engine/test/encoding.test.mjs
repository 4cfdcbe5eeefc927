import assert from 'node:assert/strict';
import { test } from 'node:test';

import { init } from 'virt-autopilot';

const { yaml } = await init();

test('integers beyond 2^53 keep their digits', () => {
  const check = (value, text) => {
    assert.equal(yaml.write({ v: value }), `v: ${text}\n`);
    assert.deepEqual(yaml.parse(`v: ${text}\n`), { v: value });
  };
  check(9007199254740991, '9007199254740991');
  check(9007199254740993n, '9007199254740993');
  check(-9007199254740993n, '-9007199254740993');
  check(9223372036854775807n, '9223372036854775807');
  check(-9223372036854775808n, '-9223372036854775808');
  check(18446744073709551615n, '18446744073709551615');
  assert.throws(() => yaml.write(1n << 64n), { code: 'request.integer-too-big' });
});

test('null is not absent', () => {
  assert.equal(yaml.write({ a: null, b: undefined }), 'a: null\n');
  assert.equal(yaml.write({ a: null, b: undefined, c: 9007199254740993n }), 'a: null\nc: 9007199254740993\n');
  assert.equal(yaml.write([undefined, 9007199254740993n]), '- null\n- 9007199254740993\n');
  assert.deepEqual(Object.keys(yaml.parse('a: null\n')), ['a']);
});

test('maps are plain objects, whichever way they come', () => {
  for (const big of ['', 'big: 9007199254740993\n']) {
    const parsed = yaml.parse(`${big}__proto__: {x: 1}\nm: {k: [1, 1.5, true, "t"]}\n`);
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
    assert.deepEqual(Object.getOwnPropertyDescriptor(parsed, '__proto__').value, { x: 1 });
    assert.deepEqual(parsed.m, { k: [1, 1.5, true, 't'] });
    assert.equal(yaml.write(parsed), `__proto__:\n  x: 1\n${big}m:\n  k:\n  - 1\n  - 1.5\n  - true\n  - t\n`);
  }
});

test('what holds itself is refused', () => {
  const self = {};
  self.self = self;
  assert.throws(() => yaml.write(self), { code: 'request.too-deep' });
});

test('positions are UTF-16 units', () => {
  const text = 'a: "😀é" x\n';
  assert.throws(
    () => yaml.parse(text),
    (error) => {
      const { span } = error.problems[0].source;
      assert.equal(span.column, [...text.slice(0, span.start)].length + 1);
      return true;
    },
  );
});
