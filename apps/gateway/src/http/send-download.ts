import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Sends a file while it is generated. An error closes the connection, because the status has already been sent. A
 * disconnect stops the generation. The request holds its download slot until then.
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
