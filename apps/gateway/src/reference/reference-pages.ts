import { codeBlock, samplePanel } from './code-panels';
import { codeSamples } from './code-samples';
import {
  type DescriptionNode,
  type OperationNode,
  operationsOf,
  parametersOf,
  type PlacedOperation,
  referredName,
  type ResponseNode,
  responsesOf,
  type SchemaNode,
} from './description-model';
import { BODY_ERRORS, COMMON_ERRORS, POST_ERRORS } from '../openapi/error-responses';
import { FieldTree, sharedSchemas } from './field-tree';
import { blockMarkdown, inlineMarkdown } from './guides';
import { highlighted } from './highlight';
import { escaped, plainText } from './html';
import type { PackedClient } from './packed-clients';
import { sitePage } from './site';
import type { SearchEntry } from './search-entries';

/** Page of the reference. */
export interface ReferencePage {
  /** Path below the server's root, without the leading slash. */
  path: string;
  html: string;
}

interface Context {
  description: DescriptionNode;
  clients: readonly PackedClient[];
  groups: Group[];
}

/** Operations of one tag, which share a page. */
interface Group {
  path: string;
  title: string;
  about: string;
  operations: PlacedOperation[];
}

const WEBHOOKS = { path: 'docs/reference/events', title: 'Webhook events' };
const ERRORS = { path: 'docs/reference/errors', title: 'Errors' };
const USUAL_ERRORS: ReadonlySet<string> = new Set([...COMMON_ERRORS, ...POST_ERRORS, ...BODY_ERRORS]);
const FORMS: Record<string, string> = { 'multipart/form-data': '-form' };

/** Renders all reference pages with their search entries. */
export function* referencePages(
  description: DescriptionNode,
  clients: readonly PackedClient[],
): Generator<ReferencePage & { entries: SearchEntry[] }> {
  const operations = operationsOf(description);
  const groups = description.tags
    .map(({ name, description: about }) => ({
      path: `docs/reference/${slugOf(name)}`,
      title: name,
      about,
      operations: operations.filter(({ tags }) => tags?.[0] === name),
    }))
    .filter(({ operations: own }) => own.length > 0);
  const context = { description, clients, groups };
  yield { ...overviewPage(context), entries: [] };
  for (const group of groups) yield groupPage(group, context);
  yield eventsPage(context);
  yield errorsPage(context);
}

function overviewPage(context: Context): ReferencePage {
  const { description, clients, groups } = context;
  const server = (description.servers[0]?.url ?? '').replace(/\/$/, '');
  const first = operationsOf(description).find(({ operationId }) => operationId === 'sendMessage');
  const sample = first && codeSamples(first, description).slice(0, 1);
  const [lead = '', ...paragraphs] = (description.info.description ?? '').split('\n\n');
  const downloads = [
    ['/v1/openapi.json', 'OpenAPI description', 'JSON, for code generators and other tools'],
    [
      '/docs/postman.json',
      'Postman collection',
      'A request for every operation and example',
      'switchboard.postman_collection.json',
    ],
    ['/llms.txt', 'llms.txt', 'An index of the documentation for language models'],
  ].map(
    ([href, name, about, file]) =>
      `<li><a href="${href}"${file ? ` download="${file}"` : ''}>${name}</a><span>${about}</span></li>`,
  );
  const installs = clients.map(({ name, language, install }) =>
    codeBlock(`${language} client`, install(`${server}/docs/${name}`), 'curl'),
  );
  const cards = groups.map(
    (group) =>
      `<section class="card"><h3><a href="/${group.path}">${escaped(group.title)}</a></h3><p>${inlineMarkdown(group.about)}</p><ul>${group.operations
        .map((operation) => `<li>${operationLink(group, operation)}</li>`)
        .join('')}</ul></section>`,
  );
  const content = `
<div class="page-head"><h1>API reference</h1><p class="lead">${inlineMarkdown(lead)}</p></div>
<section class="split"><div class="text">
<h2 id="requests">Requests</h2>
${codeBlock('Base URL', `${server}/v1`, 'curl')}
<p>Send and receive JSON over HTTPS. Files are sent as <code>multipart/form-data</code>.</p>
<h2 id="authentication">Authentication</h2>
<p>Send an API key as the bearer token of each request: <code>Authorization: Bearer $API_KEY</code>. Create a key under <a href="/dashboard/keys">API keys</a> in the dashboard. Anyone who has the key can send messages in your name, so store it on your server only.</p>
<h2 id="responses">Responses</h2>
${paragraphs.map((paragraph) => blockMarkdown(paragraph)).join('')}
<p>The page <a href="/${ERRORS.path}">Errors</a> lists all error codes. The guide <a href="/docs/guides/errors-and-retries">Errors and retries</a> shows how to handle them.</p>
<h2 id="downloads">Downloads</h2>
<ul class="downloads">${downloads.join('')}</ul>
${installs.join('')}
</div><div class="aside">${sample ? samplePanel(sample, 'sample-first') : ''}</div></section>
<section><h2 id="operations">Operations</h2><div class="cards">${cards.join('')}
<section class="card"><h3><a href="/${WEBHOOKS.path}">${WEBHOOKS.title}</a></h3><p>Events that the service sends to your endpoints</p></section>
<section class="card"><h3><a href="/${ERRORS.path}">${ERRORS.title}</a></h3><p>All error codes, with their status and an example</p></section></div></section>`;
  return { path: 'docs', html: page('API reference', 'docs', content, context) };
}

function groupPage(group: Group, context: Context): ReferencePage & { entries: SearchEntry[] } {
  const { description } = context;
  const { schemas } = description.components;
  const shared = sharedSchemas(group.operations.flatMap(schemasOf), schemas);
  const tree = new FieldTree(schemas, shared);
  const sections = group.operations.map((operation) => operationSection(operation, tree, context));
  const objects = [...shared].map((name) => objectSection(name, tree, description));
  const content = `
<div class="page-head"><h1>${escaped(group.title)}</h1><p class="lead">${inlineMarkdown(group.about)}</p></div>
${sections.join('')}
${objects.length > 0 ? `<h2 class="part" id="objects">Objects</h2>${objects.join('')}` : ''}`;
  const href = `/${group.path}`;
  const entries: SearchEntry[] = [
    ...group.operations.map(({ operationId, summary = '', method, path, description: text = '' }) => ({
      kind: 'operation' as const,
      title: summary,
      context: `${method} ${path}`,
      href: `${href}#${operationId}`,
      text: `${operationId} ${plainText(text)}`,
    })),
    ...fieldEntries(
      tree,
      href,
      (root) => group.operations.find(({ operationId }) => operationId === root)?.summary ?? `${root} object`,
    ),
  ];
  return { path: group.path, html: page(group.title, group.path, content, context), entries };
}

function operationSection(operation: PlacedOperation, tree: FieldTree, { description }: Context): string {
  const { operationId: id, summary = '', method, path } = operation;
  const parameters = parametersOf(operation, description);
  const parts = (['path', 'query', 'header'] as const).map((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return '';
    const items = own.map(({ name, schema = {}, required = false, description: about }) =>
      tree.parameter(name, { ...schema, ...(about !== undefined && { description: about }) }, id, required),
    );
    const title = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' }[place];
    return `<h3>${title}</h3><ul class="fields">${items.join('')}</ul>`;
  });
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema = {} }]) =>
      `<h3>Body <span class="type">${type}</span></h3>${tree.fields(schema, `${id}${FORMS[type] ?? ''}`)}`,
  );
  const responses = responsesOf(operation).filter(([status]) => Number(status) < 400);
  return `<section class="operation split" id="${id}" aria-labelledby="${id}-title"><div class="head">
<h2 id="${id}-title"><a class="anchor" href="#${id}">${escaped(summary)}</a></h2>
<p class="route">${methodMark(method)}<code>${pathText(path)}</code></p>
${operation.description ? blockMarkdown(operation.description) : ''}
<p class="authentication">Authentication: API key as a <a href="/docs#authentication">bearer token</a></p>
</div><div class="aside">${samplePanel(codeSamples(operation, description), `sample-${id}`)}${responsePanel(operation, description)}</div>
<div class="text">${parts.join('')}${bodies.join('')}
<h3>Response</h3>${responses.map(([status, response]) => responseFields(status, response, id, tree)).join('')}
<h3>Errors</h3>${errorList(operation)}
</div></section>`;
}

function responseFields(
  status: string,
  { description, content = {} }: ResponseNode,
  id: string,
  tree: FieldTree,
): string {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(content);
  const head = `<p><span class="status ok">${status}</span> ${inlineMarkdown(description)} ${type ? `<span class="type">${type}</span>` : ''}</p>`;
  return type === 'application/json' ? `${head}${tree.fields(schema, `${id}-response`)}` : head;
}

/** Renders the errors of an operation; those that most operations share are collapsed. */
function errorList({ responses }: OperationNode): string {
  const errors = errorsOf(responses);
  const row = ({ status, code, message }: { status: string; code: string; message: string }): string =>
    `<tr><td><span class="status">${status}</span></td><td><a href="/${ERRORS.path}#${code}"><code>${code}</code></a></td><td>${escaped(message)}</td></tr>`;
  const table = (rows: typeof errors): string =>
    `<div class="table" tabindex="0"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.map(row).join('')}</tbody></table></div>`;
  const [own, usual] = [
    errors.filter(({ code }) => !USUAL_ERRORS.has(code)),
    errors.filter(({ code }) => USUAL_ERRORS.has(code)),
  ];
  return `${own.length > 0 ? table(own) : ''}<details class="usual"><summary>${usual.length} errors common to most operations</summary>${table(usual)}</details>`;
}

function errorsOf(responses: Record<string, ResponseNode>): { status: string; code: string; message: string }[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/`([A-Z_]+)`: (.+)/g)].map(([, code = '', message = '']) => ({ status, code, message })),
    );
}

function objectSection(name: string, tree: FieldTree, { components }: DescriptionNode): string {
  const schema = components.schemas[name] ?? {};
  return `<section class="operation" id="${name}" aria-labelledby="${name}-title"><div class="text">
<h3 id="${name}-title"><a class="anchor" href="#${name}">${name} <span class="type">object</span></a></h3>
${schema.description ? `<p>${inlineMarkdown(schema.description)}</p>` : ''}
${tree.fields(schema, name)}
</div></section>`;
}

function eventsPage(context: Context): ReferencePage & { entries: SearchEntry[] } {
  const { description } = context;
  const { schemas } = description.components;
  const events = Object.entries(description.webhooks).map(([name, { post }]) => ({ name, ...post }));
  const shared = sharedSchemas(events.flatMap(schemasOf), schemas);
  const tree = new FieldTree(schemas, shared);
  const [first] = events;
  const headers = (first?.parameters ?? []).map(({ name, schema = {}, required = false, description: about = '' }) =>
    tree.parameter(name, { ...schema, description: about }, 'headers', required),
  );
  const sections = events.map(({ name, summary = '', requestBody }) => {
    const { schema = {} } = requestBody?.content['application/json'] ?? {};
    const example = exampleOf(schema, schemas);
    return `<section class="operation split" id="${name}" aria-labelledby="${name}-title"><div class="head">
<h2 id="${name}-title"><a class="anchor" href="#${name}"><code>${name}</code></a></h2>
<p>${inlineMarkdown(summary)}</p>
</div><div class="aside">${example === undefined ? '' : codeBlock('Event', JSON.stringify(example, null, 2), 'json')}</div>
<div class="text"><h3>Body <span class="type">application/json</span></h3>${tree.fields(schema, name)}</div></section>`;
  });
  const objects = [...shared].map((name) => objectSection(name, tree, description));
  const content = `
<div class="page-head"><h1>${WEBHOOKS.title}</h1><p class="lead">Events that the service sends to your endpoints as signed POST requests. The guide <a href="/docs/guides/webhooks">Receive webhooks</a> shows how to write a receiver.</p></div>
<section class="operation" id="delivery" aria-labelledby="delivery-title"><div class="text"><h2 id="delivery-title"><a class="anchor" href="#delivery">Delivery</a></h2>
${blockMarkdown(first?.description ?? '')}
<h3>Headers</h3><ul class="fields">${headers.join('')}</ul></div></section>
${sections.join('')}
${objects.length > 0 ? `<h2 class="part" id="objects">Objects</h2>${objects.join('')}` : ''}`;
  const href = `/${WEBHOOKS.path}`;
  const entries: SearchEntry[] = [
    ...events.map(({ name, summary = '' }) => ({
      kind: 'event' as const,
      title: name,
      context: summary,
      href: `${href}#${name}`,
    })),
    ...fieldEntries(tree, href, (root) =>
      root === 'headers' ? 'Header of a webhook' : root in description.webhooks ? `${root} event` : `${root} object`,
    ),
  ];
  return { path: WEBHOOKS.path, html: page(WEBHOOKS.title, WEBHOOKS.path, content, context), entries };
}

function errorsPage(context: Context): ReferencePage & { entries: SearchEntry[] } {
  const { description } = context;
  const statuses = new Map(
    operationsOf(description).flatMap(({ responses }) =>
      errorsOf(responses).map(({ status, code }) => [code, status] as const),
    ),
  );
  const errors = Object.entries(description.components.examples)
    .map(([code, { summary, value }]) => ({ code, message: summary, value, status: statuses.get(code) ?? '' }))
    .sort((one, other) => Number(one.status) - Number(other.status));
  const tree = new FieldTree(description.components.schemas, new Set());
  const rows = errors.map(
    ({ code, message, status }) =>
      `<tr id="${code}"><td><span class="status">${status}</span></td><td><a href="#${code}"><code>${code}</code></a></td><td>${escaped(message)}</td></tr>`,
  );
  const [sample] = errors;
  const content = `
<div class="page-head"><h1>${ERRORS.title}</h1><p class="lead">All errors have the same format. Branch on <code>code</code>, which is stable. The guide <a href="/docs/guides/errors-and-retries">Errors and retries</a> says which requests to retry.</p></div>
<section class="operation split" id="error" aria-labelledby="error-title"><div class="text"><h2 id="error-title"><a class="anchor" href="#error">Format</a></h2>${tree.fields({ $ref: '#/components/schemas/Error' }, 'Error')}</div>
<div class="aside">${sample ? codeBlock(`Error ${sample.status}`, JSON.stringify(sample.value, null, 2), 'json') : ''}</div></section>
<section class="operation" id="codes" aria-labelledby="codes-title"><h2 id="codes-title"><a class="anchor" href="#codes">Codes</a></h2>
<div class="table codes" tabindex="0"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
  const href = `/${ERRORS.path}`;
  const entries = errors.map(({ code, message, status }) => ({
    kind: 'error' as const,
    title: code,
    context: `Error ${status}`,
    href: `${href}#${code}`,
    text: message,
  }));
  return { path: ERRORS.path, html: page(ERRORS.title, ERRORS.path, content, context), entries };
}

/** Renders an example per status of an operation. */
function responsePanel(operation: PlacedOperation, { components }: DescriptionNode): string {
  const examples = responsesOf(operation).flatMap(([status, { content = {} }]) => {
    const media = content['application/json'];
    if (!media) return [];
    const [named] = Object.values(media.examples ?? {});
    const example =
      named?.$ref === undefined
        ? exampleOf(media.schema ?? {}, components.schemas)
        : components.examples[referredName(named.$ref)]?.value;
    return example === undefined ? [] : [{ status, example }];
  });
  if (examples.length === 0) return '';
  const id = `response-${operation.operationId}`;
  const options = examples.map(({ status }, index) => `<option value="${index}">${status}</option>`);
  const blocks = examples.map(
    ({ example }, index) =>
      `<pre tabindex="0" data-choice="${index}"${index > 0 ? ' hidden' : ''}><code>${highlighted(JSON.stringify(example, null, 2), 'json')}</code></pre>`,
  );
  return `<div class="code" id="${id}"><div class="code-head"><span class="code-title">Response</span><select class="choice" aria-label="Status of the example response" data-panel="${id}">${options.join('')}</select></div>${blocks.join('')}</div>`;
}

function page(title: string, path: string, content: string, { groups, description }: Context): string {
  const links = groups.map((group) =>
    navigationGroup(
      group.title,
      group.path === path,
      group.operations.map((operation) => operationLink(group, operation)),
    ),
  );
  const events = Object.keys(description.webhooks).map((name) => `<a href="/${WEBHOOKS.path}#${name}">${name}</a>`);
  const current = (own: string): string => (path === own ? ' aria-current="page"' : '');
  const navigation = `<a href="/docs"${current('docs')}>Introduction</a>${links.join('')}${navigationGroup(WEBHOOKS.title, path === WEBHOOKS.path, events)}<a href="/${ERRORS.path}"${current(ERRORS.path)}>${ERRORS.title}</a>`;
  return sitePage({
    title: path === 'docs' ? title : `${title} · API reference`,
    section: 'reference',
    navigation,
    content,
  });
}

function navigationGroup(title: string, isOpen: boolean, links: readonly string[]): string {
  return `<details${isOpen ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${links.map((link) => `<li>${link}</li>`).join('')}</ul></details>`;
}

function operationLink({ path }: Group, { operationId, summary = '', method }: PlacedOperation): string {
  return `<a href="/${path}#${operationId}">${methodMark(method)}<span>${escaped(summary)}</span></a>`;
}

function methodMark(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** Returns the path with highlighted parameters and line-break opportunities. */
function pathText(path: string): string {
  return escaped(path)
    .replaceAll('/', '<wbr>/')
    .replace(/\{\w+\}/g, '<b>$&</b>');
}

/** Returns the schemas of an operation's bodies and successful responses. */
function schemasOf({ requestBody, responses }: OperationNode): SchemaNode[] {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const contents = [requestBody?.content ?? {}, ...successes.map(([, { content = {} }]) => content)];
  return contents.flatMap((content) => Object.values(content).flatMap(({ schema }) => schema ?? []));
}

function exampleOf(schema: SchemaNode, schemas: Record<string, SchemaNode>): unknown {
  return schema.example ?? (schema.$ref === undefined ? undefined : schemas[referredName(schema.$ref)]?.example);
}

function fieldEntries(tree: FieldTree, page: string, rootName: (root: string) => string): SearchEntry[] {
  return tree.found.map(({ name, id, trail, text }) => {
    const root = /^[\w]+/.exec(id)?.[0] ?? '';
    const part = id.startsWith(`${root}-response`) ? ['response'] : [];
    return {
      kind: 'field' as const,
      title: name,
      context: [rootName(root), ...part, ...trail].join(' › '),
      href: `${page}#${id}`,
      ...(text && { text: plainText(text) }),
    };
  });
}

function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
