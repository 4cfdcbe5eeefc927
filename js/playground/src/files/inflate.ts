/** Unpacking and packing with what the browser has. */

/** More was unpacked than is allowed. */
export class TooLarge extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super('the input is too large');
    this.limit = limit;
  }
}

/** Unpacks, but not more than `limit` bytes: a small archive can hide a huge one. */
export async function inflate(bytes: Uint8Array, format: CompressionFormat, limit: number): Promise<Uint8Array> {
  return collect(stream(bytes).pipeThrough(new DecompressionStream(format)), limit);
}

export async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  return collect(stream(bytes).pipeThrough(new CompressionStream('deflate-raw')), Infinity);
}

function stream(bytes: Uint8Array): ReadableStream<BufferSource> {
  return new Response(bytes as Uint8Array<ArrayBuffer>).body as ReadableStream<BufferSource>;
}

async function collect(source: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = source.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new TooLarge(limit);
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
