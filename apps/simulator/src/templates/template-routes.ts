import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GraphCall } from '../graph-call';
import { invalidParameter, unknownObject } from '../graph-error';
import { isObject, type JsonObject, pickFields } from '../json';
import { sampleAddress } from '../uploads/upload-routes';
import type { World } from '../world';
import type { StoredTemplate } from './seed';

/** Maximum number of templates of a verified business. */
const TEMPLATE_LIMIT = 6_000;
const DEFAULT_FIELDS = 'name,parameter_format,components,language,status,category,id';

/** Registers the template calls of an account: list, create, edit, unpause, delete. */
export function registerTemplates(app: FastifyInstance, world: World): void {
  app.get<GraphCall>('/:id/message_templates', async (request) => listTemplates(world, request));
  app.post<GraphCall>('/:id/message_templates', async (request) => {
    checkAccount(world, request);
    const submission = { nowMs: Date.now(), addressOf: sampleAddress(world, request) };
    const created = world.lifecycle.create(objectBody(request), submission);
    world.templates.assign(created.id, request.params.id);
    return created;
  });
  app.delete<GraphCall>('/:id/message_templates', async (request) => deleteTemplates(world, request));
  app.post<GraphCall>('/:id/unpause', async (request) => {
    const template = world.templates.byId(request.params.id);
    if (!template) throw unknownObject(request.params.id, request.method);
    world.lifecycle.unpause(template);
    return { success: true };
  });
}

/** Handles `GET /{template-id}`. */
export function templateObject(template: StoredTemplate, fields: string | undefined): object {
  return pickFields(template, fields ?? DEFAULT_FIELDS);
}

/** Handles `POST /{template-id}`, which replaces the components or changes the category. */
export function editTemplate(world: World, template: StoredTemplate, request: FastifyRequest): { success: true } {
  world.lifecycle.edit(template, objectBody(request), { nowMs: Date.now(), addressOf: sampleAddress(world, request) });
  return { success: true };
}

function listTemplates(world: World, request: FastifyRequest<GraphCall>): object {
  checkAccount(world, request);
  const { fields, summary: asked, ...query } = request.query;
  const page = world.templates.page(query, request.params.id);
  const summary = asked && { summary: summaryOf(world, request.params.id, { total: page.total, asked }) };
  if (page.templates.length === 0) return { data: [], ...summary };
  return {
    ...summary,
    data: page.templates.map((template) => templateObject(template, fields)),
    paging: {
      cursors: { before: page.before, after: page.after },
      ...(page.hasNext && { next: nextUrl(request, page.after) }),
    },
  };
}

/** Builds the summary, with all fields for `summary=true` or only the requested ones. */
function summaryOf({ templates }: World, wabaId: string, { total, asked }: { total: number; asked: string }): object {
  const all = {
    total_count: total,
    message_template_count: templates.page({}, wabaId).total,
    message_template_limit: TEMPLATE_LIMIT,
    are_translations_complete: true,
  };
  const wanted = asked.split(',').map((name) => name.trim());
  return asked === 'true' ? all : Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)));
}

/** Deletes a name in all languages, or a single template if `hsm_id` is given. */
function deleteTemplates(world: World, request: FastifyRequest<GraphCall>): { success: true } {
  checkAccount(world, request);
  const { name, hsm_id: id } = request.query;
  if (!name) throw invalidParameter('The parameter name is required.');
  const found = world.templates
    .all()
    .filter((template) => world.templates.ownerOf(template.id) === request.params.id)
    .filter((template) => template.name === name && (id === undefined || template.id === id));
  if (found.length === 0) throw invalidParameter(`Message template ${name} does not exist.`);
  for (const template of found) world.lifecycle.delete(template, Date.now());
  return { success: true };
}

function checkAccount({ businesses }: World, { params, method }: FastifyRequest<GraphCall>): void {
  if (!businesses.byId(params.id)) throw unknownObject(params.id, method);
}

function objectBody({ body }: FastifyRequest): JsonObject {
  if (!isObject(body)) throw invalidParameter('The body must be a JSON object.');
  return body;
}

function nextUrl(request: FastifyRequest, after: string | undefined): string {
  const url = new URL(request.url, `${request.protocol}://${request.host}`);
  url.searchParams.delete('before');
  if (after) url.searchParams.set('after', after);
  return url.href;
}
