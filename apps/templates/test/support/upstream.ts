import type { ServerResponse } from 'node:http';
import { type ReceivedRequest, type Receiver, startReceiver } from '@switchboard/testing';
import type { UpstreamTemplate } from '@switchboard/upstream';

const PAGE_SIZE = 2;

type Answer = { status: number; body: object };

/** Fake upstream HTTP server. It lists templates in pages of two and accepts creations, edits and deletions. */
export interface Upstream {
  url: string;
  /** Templates by business. */
  templates: Map<string, UpstreamTemplate[]>;
  received: Receiver['received'];
  /** Bytes of each uploaded sample by handle. */
  samples: Map<string, Buffer>;
  /**
   * Called before a request is executed. If it returns a response, the server sends that and does not execute the
   * request.
   */
  refuse: (request: ReceivedRequest) => Answer | undefined;
  /**
   * Awaited before each response. The response is computed when the request arrives; if a response is returned, it is
   * sent instead.
   */
  intercept: (request: ReceivedRequest) => Promise<Answer | undefined>;
  /** Modifying requests, such as `POST /waba/message_templates`. */
  changes(): string[];
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const receiver = await startReceiver();
  const upstream: Upstream = {
    url: receiver.url,
    templates: new Map(),
    samples: new Map(),
    received: receiver.received,
    refuse: () => undefined,
    intercept: () => Promise.resolve(undefined),
    changes: () =>
      receiver.received
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path }) => `${method} ${path.replace('/v24.0', '')}`),
    close: () => receiver.close(),
  };
  receiver.respondWith((request, response) => void answer(upstream, request, response));
  return upstream;
}

async function answer(upstream: Upstream, request: ReceivedRequest, response: ServerResponse): Promise<void> {
  const done = upstream.refuse(request) ?? handleTask(upstream, request);
  const { status, body } = (await upstream.intercept(request)) ?? done;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Returns an error with code 100 in the platform's format. */
export const refusal = (error_subcode: number | undefined, error_user_msg: string): Answer => ({
  status: 400,
  body: { error: { message: 'Invalid parameter', code: 100, error_subcode, error_user_msg } },
});

function handleTask(upstream: Upstream, request: ReceivedRequest): Answer {
  const { method, path, body } = request;
  const { pathname, searchParams } = new URL(path, upstream.url);
  const [, , id = ''] = pathname.split('/');
  const all = upstream.templates.get(id) ?? [];
  if (pathname.includes('/upload')) return takeSample(upstream, pathname, body);
  if (method === 'GET') return { status: 200, body: listPage(upstream, request) };
  if (method === 'DELETE') {
    const found = all.findIndex(
      (template) => template.id === searchParams.get('hsm_id') && template.name === searchParams.get('name'),
    );
    if (found < 0) return refusal(undefined, 'Message template does not exist.');
    all.splice(found, 1);
    return { status: 200, body: { success: true } };
  }
  const given = JSON.parse(body.toString()) as UpstreamTemplate;
  if (!pathname.endsWith('/message_templates')) return edit(upstream, id, given);
  if (all.some(({ name, language }) => name === given.name && language === given.language))
    return refusal(2388024, 'There is already English content for this template.');
  const created = upstreamTemplate(given.name, { ...given, status: 'PENDING' });
  upstream.templates.set(id, [...all, created]);
  return { status: 200, body: { id: created.id, status: 'PENDING', category: created.category } };
}

/** Handles an upload session or a complete file. Resumed uploads are covered by the client's own test. */
function takeSample({ samples }: Upstream, pathname: string, bytes: Buffer): Answer {
  if (pathname.endsWith('/app/uploads')) return { status: 200, body: { id: 'upload:session?sig=ARZ' } };
  const handle = `4::${samples.size}`;
  samples.set(handle, bytes);
  return { status: 200, body: { h: handle } };
}

function edit({ templates }: Upstream, id: string, change: Partial<UpstreamTemplate>): Answer {
  const template = [...templates.values()].flat().find((candidate) => candidate.id === id);
  if (!template || !['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status))
    return refusal(2388039, 'Only approved, rejected and paused templates can be edited.');
  Object.assign(template, change, { status: 'PENDING' });
  return { status: 200, body: { success: true } };
}

function listPage({ url, templates }: Upstream, { path }: ReceivedRequest): object {
  const { pathname, searchParams } = new URL(path, url);
  const name = searchParams.get('name');
  const all = (templates.get(pathname.split('/')[2] ?? '') ?? []).filter((template) => !name || template.name === name);
  const from = Number(Buffer.from(searchParams.get('after') ?? '', 'base64').toString() || 0);
  const to = from + PAGE_SIZE;
  const after = Buffer.from(String(to)).toString('base64');
  const next = to < all.length ? { next: `${url}/next?access_token=not-to-be-followed` } : {};
  return { data: all.slice(from, to), paging: { cursors: { before: 'b', after }, ...next } };
}

let lastId = 1387372356726000;

export function upstreamTemplate(name: string, more: Partial<UpstreamTemplate> = {}): UpstreamTemplate {
  lastId += 1;
  return {
    id: String(lastId),
    name,
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: [{ type: 'BODY', text: 'Order {{1}} ships on {{2}}.', example: { body_text: [['A-17', 'Monday']] } }],
    ...more,
  };
}
