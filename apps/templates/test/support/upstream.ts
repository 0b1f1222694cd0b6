import type { ServerResponse } from 'node:http';
import { type ReceivedRequest, type Receiver, startReceiver } from '@switchboard/testing';
import type { UpstreamTemplate } from '@switchboard/upstream';

const PAGE_SIZE = 2;

/** A real HTTP server that lists templates as the upstream platform does, in pages of two. */
export interface Upstream {
  url: string;
  /** What each business has. */
  templates: Map<string, UpstreamTemplate[]>;
  received: Receiver['received'];
  /** Waited for before each answer goes out as it was when the request came; what it returns is answered instead. */
  intercept: (request: ReceivedRequest) => Promise<{ status: number; body: object } | undefined>;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const receiver = await startReceiver();
  const upstream: Upstream = {
    url: receiver.url,
    templates: new Map(),
    received: receiver.received,
    intercept: () => Promise.resolve(undefined),
    close: () => receiver.close(),
  };
  receiver.respondWith((request, response) => void answer(upstream, request, response));
  return upstream;
}

async function answer(upstream: Upstream, request: ReceivedRequest, response: ServerResponse): Promise<void> {
  const page = JSON.stringify(listPage(upstream, request));
  const instead = await upstream.intercept(request);
  response.writeHead(instead?.status ?? 200, { 'content-type': 'application/json' }).end(instead ? JSON.stringify(instead.body) : page);
}

function listPage({ url, templates }: Upstream, { path }: ReceivedRequest): object {
  const { pathname, searchParams } = new URL(path, url);
  const all = templates.get(pathname.split('/')[2] ?? '') ?? [];
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
