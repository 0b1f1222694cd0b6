import type { FastifyInstance } from 'fastify';
import { ALL_MIME_TYPES, bareMimeType } from '../media/media-rules';
import type { World } from '../world';
import { ControlError, objectOf } from './control-error';

/**
 * Counts uploads, deletes files as if they had expired, and serves file bytes to the page, which has no bearer token.
 * Customer files may have any type, and this origin controls the simulator, so content that a browser would execute is
 * served as a harmless type.
 */
export function registerMediaControl(app: FastifyInstance, world: World): void {
  const { media } = world;
  app.get('/uploads', async () => ({
    numbers: world.numbers
      .all()
      .map(({ id, displayDigits }) => ({ id, phoneNumber: displayDigits, uploads: media.uploadsOf(id) })),
  }));
  app.post('/media/forget', async ({ body }) => {
    const { phoneNumber } = objectOf(body);
    const numbers = phoneNumber === undefined ? world.numbers.all() : [world.numbers.find(String(phoneNumber))];
    let forgotten = 0;
    for (const number of numbers) {
      if (!number) throw new ControlError('phoneNumber: no such business number', 404);
      forgotten += await media.forget(number.id);
    }
    return { forgotten };
  });
  app.get<{ Params: { id: string } }>('/media/:id', async ({ params }, reply) => {
    const file = media.find(params.id, Date.now());
    if (!file) throw new ControlError('no such media', 404);
    const type = bareMimeType(file.mimeType);
    reply.headers({
      'content-type': ALL_MIME_TYPES.includes(type) ? type : 'application/octet-stream',
      'content-length': file.byteLength,
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    return reply.send(media.read(file));
  });
}
