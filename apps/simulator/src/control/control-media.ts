import type { FastifyInstance } from 'fastify';
import { ALL_MIME_TYPES, bareMimeType } from '../media/media-rules';
import type { World } from '../world';
import { ControlError } from './control-error';

/**
 * Serves file bytes to the page, which has no bearer token. Customer files may have any type, and this origin controls
 * the simulator, so content that a browser would execute is served as a harmless type.
 */
export function registerMediaControl(app: FastifyInstance, { media }: World): void {
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
