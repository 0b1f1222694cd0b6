import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from '../http/entity-tags';

/** A reader's browser asks for four things; programs now and then for one. All come from memory, but are long. */
export const READERS = { perAddress: { limit: 300, windowMs: 60_000, burst: 300 } };

/** Something that is the same for every caller until the gateway is another version. */
export interface StaticFile {
  body: Buffer;
  type: string;
  etag: string;
}

/** @param type of the media, with its character set */
export function staticFile(content: string | Buffer, type: string): StaticFile {
  const body = Buffer.from(content);
  return { body, type, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
}

/**
 * Sends the file, or nothing to whoever has it already. Browsers and proxies may keep it, and ask each time whether it
 * is still true.
 */
export function sendStatic({ body, type, etag }: StaticFile, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ etag, 'cache-control': 'public, no-cache' });
  if (namesTag(request.headers['if-none-match'], etag)) return void reply.status(304).send();
  void reply.type(type).send(body);
}
