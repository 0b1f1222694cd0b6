import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Sends a file while it is written; what breaks in the middle breaks the connection off, as its status is out. When the
 * caller goes away the writing ends, and until then the request keeps its place among the account's downloads.
 */
export async function sendDownload(
  file: Readable,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  request.download = file;
  if (reply.raw.destroyed) {
    file.destroy();
    return void (await reply.send());
  }
  reply.raw.once('close', () => file.destroy());
  await reply.send(file);
}
