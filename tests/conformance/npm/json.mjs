// JSON that keeps integers beyond 2^53, as the package has them: as BigInt.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
const MARK = '\u0000integer:';

export function read(text) {
  const mark = (token) => (token.startsWith('"') ? token : JSON.stringify(MARK + token));
  return JSON.parse(text.replace(TOKEN, mark), (_, value) => {
    if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
    const integer = BigInt(value.slice(MARK.length));
    return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
  });
}

export function write(value) {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? MARK + part : part));
  return text.replaceAll(/"\\u0000integer:(-?\d+)"/g, '$1');
}
