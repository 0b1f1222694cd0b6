import type { BlobStore } from '@switchboard/blobs';
import { AppError, type GetMediaReply } from '@switchboard/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachment } from './attachment';
import { readBlob } from './blobs';
import { namesTag } from './entity-tags';
import { rangeOf } from './byte-range';

/** Prevents shared caching of customer files. Clients may revalidate their copy by `ETag`. */
const CACHING = { 'cache-control': 'private, no-store', 'accept-ranges': 'bytes' };

interface MediaAnswer {
  blobs: BlobStore;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Content type of the response, since the stored type was set by an unknown sender. */
  contentType: string;
}

/**
 * Sends a customer's file, or the requested part.
 * @throws AppError RANGE_NOT_SATISFIABLE, NOT_FOUND, UNAVAILABLE
 */
export async function sendMedia(
  media: GetMediaReply,
  { blobs, request, reply, contentType }: MediaAnswer,
): Promise<void> {
  const etag = `"${media.sha256}"`;
  if (namesTag(request.headers['if-none-match'], etag))
    return void reply
      .status(304)
      .headers({ ...CACHING, etag })
      .send();
  const ifRange = request.headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? rangeOf(request.headers.range, media.bytes) : 'whole';
  if (range === 'none') {
    reply.header('content-range', `bytes */${media.bytes}`);
    throw new AppError('RANGE_NOT_SATISFIABLE');
  }
  const { stream, bytes } = await readBlob(blobs, media.blobKey, range === 'whole' ? undefined : range);
  // Releases the stream after a disconnect or a HEAD request.
  reply.raw.once('close', () => stream.destroy());
  if (request.method === 'HEAD') stream.destroy();
  if (range !== 'whole') reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${media.bytes}`);
  reply.headers({
    ...CACHING,
    etag,
    'content-type': contentType,
    'content-length': bytes,
    'content-disposition': attachment(media.filename),
  });
  await reply.send(stream);
}
