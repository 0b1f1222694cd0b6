import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from '../http/entity-tags';

/**
 * Rate limit per address. A browser loads four files, a program occasionally one. They are served from memory, but are
 * large.
 */
export const READERS = { perAddress: { limit: 300, windowMs: 60_000, burst: 300 } };

/** File that changes only with the gateway's version. */
export interface StaticFile {
  body: Buffer;
  type: string;
  etag: string;
}

/** @param type media type with charset */
export function staticFile(content: string | Buffer, type: string): StaticFile {
  const body = Buffer.from(content);
  return { body, type, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
}

/** Sends the file, or 304 if the client's copy is current. Browsers and proxies may cache it but must revalidate. */
export function sendStatic({ body, type, etag }: StaticFile, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ etag, 'cache-control': 'public, no-cache' });
  if (namesTag(request.headers['if-none-match'], etag)) return void reply.status(304).send();
  void reply.type(type).send(body);
}
