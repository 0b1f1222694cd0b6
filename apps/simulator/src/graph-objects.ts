import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphCall } from './graph-call';
import { unknownObject } from './graph-error';
import { pickFields } from './json';
import { mediaObject } from './media/media-routes';
import { DEFAULT_NUMBER_FIELDS } from './numbers/number-store';
import { editTemplate, templateObject } from './templates/template-routes';
import type { World } from './world';

/** The Graph has one address for all objects: numbers, templates, media, the account. */
export function registerObjects(app: FastifyInstance, world: World): void {
  app.get<GraphCall>('/:id', async (request) => readObject(world, request));
  app.post<GraphCall>('/:id', async (request) => {
    const template = world.templates.byId(request.params.id);
    if (!template) throw unknownObject(request.params.id, request.method);
    return editTemplate(world, template, request);
  });
  app.delete<GraphCall>('/:id', async ({ params, method }) => {
    if (!world.media.find(params.id, Date.now())) throw unknownObject(params.id, method);
    return { success: await world.media.delete(params.id) };
  });
  app.get<GraphCall>('/:id/phone_numbers', async (request) => listNumbers(world, request));
}

function readObject(world: World, request: FastifyRequest<GraphCall>): object {
  const { params, query, method } = request;
  const number = world.numbers.byId(params.id);
  if (number) return pickFields(number.graph, query.fields ?? DEFAULT_NUMBER_FIELDS);
  const template = world.templates.byId(params.id);
  if (template) return templateObject(template, query.fields);
  const media = world.media.find(params.id, Date.now());
  if (media) return mediaObject(world, media, request);
  if (world.numbers.isAccount(params.id)) return pickFields({ id: params.id, name: 'Switchboard Demo' }, query.fields);
  throw unknownObject(params.id, method);
}

function listNumbers({ numbers }: World, { params, query, method }: FastifyRequest<GraphCall>): object {
  if (!numbers.isAccount(params.id)) throw unknownObject(params.id, method);
  const data = numbers.all().map(({ graph }) => pickFields(graph, query.fields ?? DEFAULT_NUMBER_FIELDS));
  const cursor = Buffer.from('QVF:numbers').toString('base64url');
  return { data, paging: { cursors: { before: cursor, after: cursor } } };
}
