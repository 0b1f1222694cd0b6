import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from '../http/entity-tags';

/**
 * Rate limit per address. A browser loads five files, a program occasionally one. They are served from memory, but are
 * large.
 */
export const READERS = { perAddress: { limit: 300, windowMs: 60_000, burst: 300 } };

/** Media types that are compressed already. */
const COMPRESSED_TYPES = /^(application\/(gzip|zip)|font\/)/;
/** Brotli quality that compresses the largest file within a few milliseconds; 11 would save a tenth more. */
const BROTLI_QUALITY = 5;
const ENCODERS = {
  br: (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => gzipSync(body),
};
type Encoding = keyof typeof ENCODERS;

/** File that changes only with the gateway's version. */
export interface StaticFile {
  body: Buffer;
  type: string;
  etag: string;
  /** True if the file's name changes with its content. */
  isImmutable: boolean;
  /** Content by encoding, compressed at the first request for it. */
  encoded: Partial<Record<Encoding, Buffer>>;
}

/** @param type media type with charset */
export function staticFile(content: string | Buffer, type: string, isImmutable = false): StaticFile {
  const body = Buffer.from(content);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { body, type, etag, isImmutable, encoded: {} };
}

/** Sends the file, or 304 if the client's copy is current. Caches revalidate a file unless it is immutable. */
export function sendStatic(file: StaticFile, request: FastifyRequest, reply: FastifyReply): void {
  const { body, type, etag, isImmutable } = file;
  const caching = isImmutable ? 'public, max-age=31536000, immutable' : 'public, no-cache';
  reply.headers({ etag, 'cache-control': caching, vary: 'accept-encoding' });
  if (namesTag(request.headers['if-none-match'], etag)) return void reply.status(304).send();
  const encoding = COMPRESSED_TYPES.test(type) ? undefined : acceptedEncoding(request.headers['accept-encoding']);
  if (encoding) reply.header('content-encoding', encoding);
  void reply.type(type).send(encoding ? (file.encoded[encoding] ??= ENCODERS[encoding](body)) : body);
}

/** Returns the best encoding that the header names and does not exclude with `q=0`. */
function acceptedEncoding(header: string | string[] = ''): Encoding | undefined {
  const names = String(header)
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  return (Object.keys(ENCODERS) as Encoding[]).find((encoding) => names.includes(encoding));
}
