// @ts-check
// Runs the shapes of the catalogue through the code.
import { randomBytes } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../../lib/wait.mjs';
import { CUSTOMER, NUMBER_ID, WABA_ID } from './catalogue.mjs';
import { startPlatform } from './platform.mjs';

/** @typedef {import('./catalogue.mjs').Shape} Shape */
/** @typedef {typeof import('./code.mjs')} Code */
/** @typedef {import('./platform.mjs').Platform} Platform */
/** @typedef {{ shape: Shape, shown: string, problem?: string }} Result shown: outcome of the sample, as text */
/**
 * @typedef {{ code: Code, platform: Platform, client: any, media: any, mediaId: string, version: string, templates:
 * Map<string, any>, kept: Record<string, string> }} World kept: returned ids that later shapes refer to, by name
 */

const APP_SECRET = 'test_app_secret';
const TOKEN = 'test-access-token';
/** ID of an uploaded file in samples of this API, and the platform's media id in samples of the platform. */
const API_MEDIA = 'med_01jd0000000000000000000000';
const SAMPLE_MEDIA = '1037543291543636';

/**
 * Runs all shapes. Runs requests once per platform version.
 * @param {Code} code
 * @param {readonly Shape[]} shapes
 * @param {readonly string[]} versions
 * @returns {Promise<Result[]>}
 */
export async function runShapes(code, shapes, versions) {
  const calls = shapes.filter(({ direction }) => direction !== 'callback');
  /** @type {Map<Shape, Result>} */
  const results = new Map();
  for (const version of calls.length > 0 ? versions : [])
    for (const result of await runCalls(code, calls, version)) {
      const earlier = results.get(result.shape);
      const problem = earlier?.problem ?? (result.problem && `${version}: ${result.problem}`);
      results.set(result.shape, { ...result, problem });
    }
  return shapes.map((shape) => results.get(shape) ?? settled(shape, () => runCallback(code, shape)));
}

/** @returns {Promise<Result[]>} */
async function runCalls(/** @type {Code} */ code, /** @type {Shape[]} */ shapes, /** @type {string} */ version) {
  const platform = await startPlatform(code, { appSecret: APP_SECRET, token: TOKEN });
  const options = { baseUrl: platform.url, apiVersion: version, timeoutMs: 10_000 };
  const client = code.createUpstreamClient(options);
  const media = code.createMediaClient(options);
  try {
    // The contact writes first, because shapes block the contact and mark the message as read.
    const { messageId } = await platform.control('inbound', { from: CUSTOMER, text: 'Hello' });
    await platform.control(`businesses/${WABA_ID}/marketing`, { status: 'ONBOARDED' });
    const mediaId = await client.uploadMedia({ phoneNumberId: NUMBER_ID, accessToken: TOKEN, file: fileOf(code) });
    const world = {
      code,
      platform,
      client,
      media,
      mediaId,
      version,
      templates: new Map(),
      kept: { message: messageId },
    };
    /** @type {Result[]} */
    const results = [];
    for (const shape of shapes) results.push(await settledLater(shape, () => runCall(world, shape)));
    return results;
  } finally {
    await Promise.all([client.close(), media.close()]);
    await platform.close();
  }
}

/** @returns {Promise<string>} */
function runCall(/** @type {World } */ world, /** @type {Shape} */ shape) {
  if (shape.direction === 'response') return runError(world, shape);
  if (shape.request) return runSend(world, shape);
  return shape.call ? runClientCall(world, shape) : runUnused(world, shape);
}

/** Sends a message like the API, and compares the resulting request with the sample. */
async function runSend(/** @type {World} */ world, /** @type {Shape} */ shape) {
  const { code, client, platform, mediaId } = world;
  const body = /** @type {any} */ (code.readBody(code.SendMessageRequest, { to: CUSTOMER, ...shape.request }));
  const faults = code.faultsOf(body).map(({ field }) => field);
  if (shape.handling === 'rejected') {
    expect(faults.length > 0, 'the API accepts the request');
    return `the API rejects ${faults.join(', ')}`;
  }
  expect(faults.length === 0, `the API rejects ${faults.join(', ')}`);
  // The messaging service parses the message again.
  const given = JSON.parse(JSON.stringify(code.withOwnContent(body)));
  const message = /** @type {any} */ (code.readBody(code.SendMessageRequest, given));
  const content = await contentOf(world, shape, message);
  const stored = {
    id: 'msg_01',
    recipient: message.to,
    type: message.type,
    content,
    caption: code.captionOf(message),
    mediaId: null,
    platformIds: new Map([[API_MEDIA, mediaId]]),
    answeredId: message.context?.messageId ?? null,
  };
  const call = { phoneNumberId: NUMBER_ID, accessToken: TOKEN, isMarketing: shape.marketing === true };
  const sent = await client.sendMessage({ ...call, body: code.toUpstreamBody(stored) });
  expect(sent.messageId.startsWith('wamid.'), 'the response has no message id');
  compare(platform.last(), filled(shape.sample, world));
  return 'accepted by the platform';
}

/** Returns the content of a message in its stored form. */
async function contentOf(/** @type {World} */ world, /** @type {Shape} */ shape, /** @type {any} */ message) {
  const own = message[message.type];
  if (shape.template) return world.code.fitToTemplate(await templateOf(world, shape), own);
  return message.type === 'reaction' ? own : world.code.contentOf(message);
}

/** Creates the template of a send, and returns it once it is approved. */
async function templateOf(/** @type {World} */ { client, templates }, /** @type {Shape} */ shape) {
  const { name, language } = shape.request?.template ?? {};
  const known = templates.get(name);
  if (known) return known;
  await client.createTemplate({
    wabaId: WABA_ID,
    accessToken: TOKEN,
    template: { name, language: language.code, ...shape.template },
  });
  const approvedTemplate = async () => {
    const page = await client.listTemplates({ wabaId: WABA_ID, accessToken: TOKEN, name });
    return page.templates[0]?.status === 'APPROVED' && page.templates[0];
  };
  const approved = await eventually(`the template ${name} is approved`, approvedTemplate, {
    timeoutMs: 10_000,
    everyMs: 5,
  });
  templates.set(name, approved);
  return approved;
}

/** Calls the client, and compares the request with the sample and the returned value with the expected result. */
async function runClientCall(/** @type {World } */ world, /** @type {Shape} */ shape) {
  const { client, media, platform, code } = world;
  const name = shape.call ?? '';
  const ids = { phoneNumberId: NUMBER_ID, wabaId: WABA_ID, accessToken: TOKEN };
  const given = filled(shape.arguments ?? {}, world);
  const file = name === 'uploadMedia' ? { file: fileOf(code) } : {};
  const content = name === 'uploadChunk' ? { content: chunkOf(given.bytes) } : {};
  const owner = name in client ? client : media;
  const returned = await owner[name]({ ...ids, ...given, ...file, ...content });
  const sample = filled(shape.sample, world);
  // Downloads use another host, whose requests are not recorded.
  if (sample.path.startsWith('/')) compare(platform.last(), sample);
  if (shape.result !== undefined) contains(returned, filled(shape.result, world), 'result');
  if (shape.keeps) world.kept[shape.keeps] = String(returned.id ?? returned.url ?? returned);
  if (returned?.stream) await finished(returned.stream.resume());
  return 'accepted by the platform';
}

/** Verifies that no call of this run made the request of an unsupported shape. */
async function runUnused(/** @type {World} */ { platform, version }, /** @type {Shape} */ { sample, reason }) {
  const { method, path } = sample;
  const pattern = path
    .replace('{version}', version)
    .replaceAll(/\{[a-z-]+\}/g, '[^/?]+')
    .replaceAll('?', '\\?');
  const fields = Object.keys(sample.body ?? {});
  const made = platform
    .requests()
    .some(
      (one) =>
        one.method === method &&
        new RegExp(`^${pattern}$`).test(one.path) &&
        isDeepStrictEqual(Object.keys(one.body ?? {}), fields),
    );
  expect(!made, 'a call makes this request');
  return `not called: ${reason}`;
}

/** Makes the platform return an error to a send, and compares the client's error with the expected one. */
async function runError(/** @type {World} */ { client, platform, code }, /** @type {Shape} */ shape) {
  platform.respondOnce(shape.status ?? 400, shape.sample);
  const body = { to: CUSTOMER, type: 'text', text: { body: 'Hello' } };
  const error = await client.sendMessage({ phoneNumberId: NUMBER_ID, accessToken: TOKEN, body }).then(
    () => undefined,
    (/** @type {unknown} */ reason) => reason,
  );
  expect(error instanceof code.UpstreamError, 'the client reports no error');
  contains(error, shape.result, 'error');
  return `${error.answer}, ${error.category}${error.retriable ? ', retriable' : ''}`;
}

/** Signs, verifies and splits a callback, and compares its records with the expected result. */
function runCallback(/** @type {Code} */ code, /** @type {Shape} */ shape) {
  const bytes = Buffer.from(JSON.stringify(shape.sample).replaceAll(/[^\x20-\x7e]/g, escaped));
  const signature = code.signCallback(bytes, APP_SECRET);
  expect(code.verifyCallback(bytes, signature, APP_SECRET), 'the signature is not accepted');
  const split = code.splitCallback(JSON.parse(bytes.toString('utf8')));
  const records = recordsOf(code, split);
  const raw = split.others.map(({ field }) => field);
  if (shape.handling === 'raw') {
    expect(records.length === 0, `it became ${short(records)}`);
    expect(isDeepStrictEqual(raw, fieldsOf(shape.sample)), `it is not stored with its field: ${raw.join(', ')}`);
    return `raw: ${raw.join(', ')}`;
  }
  expect(raw.length === 0, `it is stored raw: ${raw.join(', ')}`);
  if (shape.handling === 'rejected') {
    expect(records.length === 0, `it became ${short(records)}`);
    return `no record: ${shape.reason}`;
  }
  contains(records, shape.result, 'records');
  expect(records.length === shape.result.length, `it became ${records.length} records: ${short(records)}`);
  return records.map(describe).join('; ');
}

/** Returns the records that the services read from a callback. @returns {Record<string, any>[]} */
function recordsOf(/** @type {Code} */ code, /** @type {ReturnType<Code['splitCallback']>} */ split) {
  const now = new Date('2026-11-28T00:00:00Z');
  const limits = { items: 100, bytes: 192 * 1_024 };
  const kind = (/** @type {string} */ name, /** @type {readonly object[]} */ list) =>
    list.map((record) => ({ kind: name, ...record }));
  return [
    ...code.partsOfMessages(split.messages, limits).flatMap(({ value }) => [
      ...kind(
        'message',
        code.readInbound(value, now).map((message) => withShown(code, message)),
      ),
      ...kind('call', code.readCalls(value, now)),
      ...kind('change', code.readChanges(value, now)),
      ...kind('status', code.readStatuses(value.statuses ?? [], now)),
      ...kind('opt-out', code.readOptOuts(value, now)),
      ...kind('echo', code.readEchoes(value, now)),
      ...kind('echo change', code.readEchoChanges(value, now)),
      ...kind('error', value.errors ?? []),
    ]),
    ...code.partsOfMessages(split.appData, limits).flatMap(({ value }) => {
      const progress = code.readProgress(value);
      return [
        ...kind('history message', code.readHistory(value, String(value.metadata?.display_phone_number), now)),
        ...kind('history progress', progress ? [progress] : []),
        ...kind('history declined', code.isDeclined(value) ? [{}] : []),
        ...kind('app contact', code.readAppContacts(value, now)),
      ];
    }),
    ...split.templates.map(({ field, value }) => ({
      kind: 'template',
      field,
      templateId: String(value.message_template_id),
      ...(field === 'message_template_status_update' && value.event && { status: code.statusOf(value.event) }),
    })),
    ...split.numbers.flatMap((change) => {
      const notice = code.readNotice(change);
      return notice ? [{ kind: 'notice', ...notice }] : [];
    }),
  ];
}

/** Adds the content in the format of records and events. */
function withShown(/** @type {Code} */ code, /** @type {any} */ message) {
  const { content } = code.inboundContent(message.type, message.content, 'https://switchboard.example.com');
  return { ...message, shown: content };
}

function fieldsOf(/** @type {any} */ callback) {
  return callback.entry.flatMap((/** @type {any} */ { changes }) =>
    changes.map((/** @type {any} */ { field }) => field),
  );
}

/** Fields of a record to show in the table. */
const DESCRIBING = ['type', 'status', 'notice', 'field', 'severity', 'direction', 'code', 'userId', 'groupId'];

function describe(/** @type {Record<string, any>} */ record) {
  const told = DESCRIBING.flatMap((name) =>
    record[name] === undefined || record[name] === null ? [] : [record[name]],
  );
  return `${record.kind} ${told.join(' ')}`.trim();
}

/** Escapes a character like the platform. */
function escaped(/** @type {string} */ character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function fileOf(/** @type {Code} */ code) {
  const bytes = /** @type {Buffer} */ (code.MEDIA_SAMPLES.image?.bytes);
  return { mimeType: 'image/jpeg', filename: 'receipt.jpg', bytes: bytes.length, content: streamOf(bytes) };
}

function chunkOf(/** @type {number} */ bytes) {
  return streamOf(randomBytes(bytes));
}

async function* streamOf(/** @type {Uint8Array} */ bytes) {
  yield bytes;
}

/**
 * Replaces placeholders and ids of the sample with those of the run.
 * @template Value
 * @param {Value} value
 * @param {Pick<World, 'mediaId' | 'version' | 'kept'>} world
 * @returns {Value}
 */
function filled(value, { mediaId, version, kept }) {
  const ids = Object.entries({ version, ...kept });
  const text = JSON.stringify(value).replaceAll(SAMPLE_MEDIA, mediaId);
  return JSON.parse(ids.reduce((replaced, [name, id]) => replaced.replaceAll(`{${name}}`, id), text));
}

/** Compares a request with its sample. */
function compare(/** @type {any} */ made, /** @type {any} */ sample) {
  for (const name of ['method', 'path', 'body', 'form'])
    expect(
      isDeepStrictEqual(made[name], sample[name]),
      `${name}: the request has ${short(made[name])}, the sample ${short(sample[name])}`,
    );
}

/** Verifies that a value contains all expected properties. Lists must start with the expected elements, in order. */
function contains(/** @type {any} */ value, /** @type {any} */ expected, /** @type {string} */ path) {
  if (typeof expected !== 'object' || expected === null) {
    expect(Object.is(value, expected), `${path} is ${short(value)}, not ${short(expected)}`);
    return;
  }
  expect(typeof value === 'object' && value !== null, `${path} is ${short(value)}, not ${short(expected)}`);
  for (const [name, part] of Object.entries(expected)) contains(value[name], part, `${path}.${name}`);
}

function short(/** @type {unknown} */ value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 400 ? `${text.slice(0, 399)}…` : text;
}

/** @returns {asserts holds} */
function expect(/** @type {unknown} */ holds, /** @type {string} */ problem) {
  if (!holds) throw new Error(problem);
}

/** @returns {Result} */
function settled(/** @type {Shape} */ shape, /** @type {() => string} */ run) {
  try {
    return { shape, shown: run() };
  } catch (error) {
    return failed(shape, error);
  }
}

/** @returns {Promise<Result>} */
async function settledLater(/** @type {Shape} */ shape, /** @type {() => Promise<string>} */ run) {
  try {
    return { shape, shown: await run() };
  } catch (error) {
    return failed(shape, error);
  }
}

/** @returns {Result} */
function failed(/** @type {Shape} */ shape, /** @type {unknown} */ error) {
  const problem = error instanceof Error ? error.message : String(error);
  return { shape, shown: '', problem };
}
