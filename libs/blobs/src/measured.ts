import { createHash } from 'node:crypto';

/** Passes a stream through and reports its length and SHA-256 (hex) once it has ended. */
export function measured(content: AsyncIterable<Uint8Array>): {
  chunks: AsyncGenerator<Uint8Array>;
  facts(): { bytes: number; sha256: string };
} {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      yield chunk;
    }
  }
  return { chunks: chunks(), facts: () => ({ bytes, sha256: hash.digest('hex') }) };
}
