import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GraphError, invalidParameter, unknownObject } from '../graph-error';
import type { GraphCall } from '../graph-call';
import type { World } from '../world';
import { type FilePart, readForm } from './form';
import { ALL_MIME_TYPES, bareMimeType, ruleOf } from './media-rules';
import type { StoredMedia } from './media-store';

export const ATTACHMENTS_PATH = '/whatsapp_business/attachments/';

/** Registers `POST /{phone-number-id}/media`, which streams the file to disk. */
export function registerMediaUpload(app: FastifyInstance, world: World): void {
  // The handler reads the stream itself.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  app.post<GraphCall>('/:id/media', async (request) => {
    const number = world.numbers.byId(request.params.id);
    if (!number) throw unknownObject(request.params.id, request.method);
    return upload(world, number.id, request);
  });
}

async function upload(
  { media }: World,
  phoneNumberId: string,
  request: FastifyRequest<GraphCall>,
): Promise<{ id: string }> {
  if (!request.headers['content-type']?.startsWith('multipart/form-data'))
    throw invalidParameter('The parameter file is required.');
  const { fields, stored } = await readForm(request.raw, (part, earlier) =>
    storeFile(media, part, { phoneNumberId, declared: earlier.get('type') }),
  );
  if (stored instanceof GraphError) throw stored;
  // The platform also accepts parameters in the query.
  const product = fields.get('messaging_product') ?? request.query.messaging_product;
  if (stored && product === 'whatsapp') return { id: stored.id };
  if (stored) await media.delete(stored.id);
  if (product === undefined) throw invalidParameter('The parameter messaging_product is required.');
  if (product !== 'whatsapp') throw invalidParameter('Param messaging_product must be one of {WHATSAPP}.');
  throw invalidParameter('The parameter file is required.');
}

/**
 * Uses the content type of the part. The field `type` applies only if the part has none. Returns errors instead of
 * throwing them.
 */
async function storeFile(
  media: World['media'],
  part: FilePart,
  { phoneNumberId, declared }: { phoneNumberId: string; declared?: string },
): Promise<StoredMedia | GraphError> {
  const isGeneric = !part.mimeType || bareMimeType(part.mimeType) === 'application/octet-stream';
  const mimeType = isGeneric && declared ? declared : part.mimeType;
  const rule = ruleOf(mimeType);
  if (!rule) {
    part.bytes.resume();
    return invalidParameter(
      `Param file must be a file with one of the following types: ${ALL_MIME_TYPES.join(', ')}. Received file of type '${mimeType}'.`,
    );
  }
  const stored = await media.add(part.bytes, { phoneNumberId, mimeType, origin: 'uploaded', nowMs: Date.now() });
  if (stored.byteLength > 0 && stored.byteLength <= rule.maxBytes) return stored;
  await media.delete(stored.id);
  return invalidParameter(`Param file must be a file of 1 to ${rule.maxBytes} bytes for the type ${rule.kind}.`);
}

/** Handles `GET /{media-id}` and returns a URL that is valid for five minutes. */
export function mediaObject(world: World, media: StoredMedia, request: FastifyRequest): object {
  return {
    messaging_product: 'whatsapp',
    url: mediaAddress(world, media, `${request.protocol}://${request.host}`),
    mime_type: media.mimeType,
    sha256: media.sha256.toString('hex'),
    file_size: String(media.byteLength),
    id: media.id,
  };
}

export function mediaAddress({ media: store }: World, { id }: StoredMedia, origin: string): string {
  return `${origin}${ATTACHMENTS_PATH}?${store.addressQuery(id, Date.now())}`;
}

/** Serves file bytes for the usual bearer token. An expired URL returns 404, and clients must request a new one. */
export function registerMediaDownload(app: FastifyInstance, world: World): void {
  app.get<{ Querystring: Record<string, string | undefined> }>('/', async (request, reply) => {
    // The platform's file servers reject requests without a User-Agent.
    if (!request.headers['user-agent']) return reply.code(403).type('text/html').send('<html>Forbidden</html>');
    const media = world.media.findByAddress(request.query, Date.now());
    if (!media || world.faults.happens(world.faults.current.mediaGone))
      throw new GraphError(100, 'Media download failed: the URL has expired', { httpStatus: 404 });
    reply.headers({
      'content-type': media.mimeType,
      'content-length': media.byteLength,
      'content-disposition': 'attachment',
    });
    return reply.send(world.media.read(media) satisfies Readable);
  });
}
