import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from '../../http/entity-tags';

/** Something that is the same for every caller until the gateway is another version. */
export interface StaticFile {
  body: Buffer;
  type: string;
  etag: string;
}

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
