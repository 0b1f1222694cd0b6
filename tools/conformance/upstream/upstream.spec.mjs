// @ts-check
import { catalogueProblems, readShapes } from './catalogue.mjs';
import * as code from './code.mjs';
import { countsOf, reportJson, shapesTable, summaryOf } from './report.mjs';
import { runShapes } from './run.mjs';
import { readStatement, statementProblems, versionRows } from './statement.mjs';

/** @typedef {import('./catalogue.mjs').Shape} Shape */

const shapes = readShapes();
const statement = readStatement();
const find = (/** @type {string} */ id) => /** @type {Shape} */ (shapes.find((shape) => shape.id === id));
const run = (/** @type {readonly Shape[]} */ some, versions = ['v24.0']) => runShapes(code, some, versions);

describe('catalogue of documented shapes', () => {
  it('has complete and valid entries', () => {
    expect(catalogueProblems(shapes)).toEqual([]);
    expect(catalogueProblems([{ ...find('send.text'), page: 'http://example.com', handling: 'rejected' }])).toEqual([
      'send.text: invalid page http://example.com',
      'send.text is rejected without a reason',
    ]);
  });

  it('lists at least 240 requests and callbacks', () => {
    expect(shapes.filter(({ direction }) => direction !== 'response').length).toBeGreaterThanOrEqual(240);
  });

  it('covers every message type of the API', () => {
    const sent = shapes.filter(({ handling }) => handling !== 'rejected').map(({ request }) => request?.type);
    expect(code.SENDABLE_TYPES.filter((type) => !sent.includes(type))).toEqual([]);
    const used = JSON.stringify(shapes.map(({ request }) => request));
    expect(code.PARAMETER_TYPES.filter((type) => !used.includes(`{"type":"${type}"`))).toEqual([]);
  });

  it('covers every message type and webhook field of callbacks', () => {
    const samples = JSON.stringify(shapes.map(({ sample }) => sample));
    expect(code.INBOUND_TYPES.filter((type) => !samples.includes(`"type":"${type}"`))).toEqual([]);
    expect(code.WEBHOOK_FIELDS.filter((field) => !samples.includes(`"field":"${field}"`))).toEqual([]);
  });

  it('covers every method of the upstream clients', async () => {
    const options = { baseUrl: 'http://127.0.0.1:9', apiVersion: 'v24.0', timeoutMs: 100 };
    const clients = [code.createUpstreamClient(options), code.createMediaClient(options)];
    await Promise.all(clients.map((client) => client.close()));
    const listed = ['sendMessage', 'close', ...shapes.map(({ call }) => call)];
    expect(clients.flatMap(Object.keys).filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('matches the code with every tested version', async () => {
    const results = await run(shapes, [...code.TESTED_VERSIONS]);
    expect(results.flatMap(({ shape, problem }) => (problem ? [`${shape.id}: ${problem}`] : []))).toEqual([]);
    expect(results.map(({ shape }) => shape)).toEqual(shapes);
    expect(countsOf(results)).toMatchObject({ failed: 0 });
  });

  it.each([
    [
      'a request that differs from the sample',
      { ...find('send.text'), sample: { ...find('send.text').sample, body: {} } },
      'v24.0: body: the request has',
    ],
    [
      'a request that the API rejects',
      { ...find('send.text'), request: { type: 'text' } },
      'v24.0: the API rejects text',
    ],
    [
      'a request that the platform rejects',
      { ...find('send.image-id'), request: { type: 'image', image: { id: 'med_01jd0000000000000000000001' } } },
      'v24.0: ',
    ],
    [
      'a rejected request that the API accepts',
      { ...find('send.text'), handling: /** @type {const} */ ('rejected') },
      'v24.0: the API accepts the request',
    ],
    [
      'an unexpected error',
      { ...find('error.131047'), result: { answer: 'INVALID_VALUE' } },
      'v24.0: error.answer is "WINDOW_CLOSED"',
    ],
    [
      'an unexpected record type',
      { ...find('inbound.text'), result: [{ kind: 'message', type: 'image' }] },
      'records.0.type is "text", not "image"',
    ],
    [
      'a missing record',
      { ...find('status.played'), handling: /** @type {const} */ ('handled'), result: [{ kind: 'status' }] },
      'records.0 is undefined',
    ],
    ['an additional record', { ...find('inbound.text'), result: [] }, 'it became 1 records'],
    [
      'a raw field that is interpreted',
      { ...find('inbound.text'), handling: /** @type {const} */ ('raw') },
      'it became [{',
    ],
    [
      'a field that is not interpreted',
      { ...find('group.created'), handling: /** @type {const} */ ('handled'), result: [] },
      'it is stored raw: group_lifecycle_update',
    ],
  ])('reports %s', async (_name, shape, problem) => {
    const results = await run([shape]);
    expect(results[0]?.problem).toContain(problem);
    expect(summaryOf(results)).toBe('1 shapes: 0 handled, 0 raw, 0 rejected, 1 failed');
    expect(shapesTable(results)).toContain('failed');
  });

  it('reports shapes as a table and as JSON', async () => {
    const results = await run([find('inbound.text'), find('group.created'), find('call.terminate')]);
    expect(summaryOf(results)).toBe('3 shapes: 1 handled, 1 raw, 1 rejected, 0 failed');
    expect(shapesTable(results).split('\n').slice(1)).toEqual([
      'inbound.text    handled   Text: message text IN.10000000919812345678',
      'group.created   raw       Group created: raw: group_lifecycle_update',
      "call.terminate  rejected  End of a call: no record: only the start of a contact's call is shown",
    ]);
    expect(reportJson(results, ['v24.0'])).toMatchObject({
      counts: { handled: 1, raw: 1, rejected: 1, failed: 0 },
      shapes: [
        { id: 'inbound.text', sample: { object: 'whatsapp_business_account' } },
        {},
        { reason: expect.any(String) },
      ],
    });
  });
});

describe('docs/platform-support.md', () => {
  it('lists the usable versions with their dates', () => {
    const [, day = ''] = /^As of (\S+)\./m.exec(statement) ?? [];
    const usable = code.PLATFORM_VERSIONS.filter(({ ends }) => ends === null || ends > day);
    expect(versionRows(statement)).toEqual(
      usable.map(({ version, released, ends }) => [
        version,
        released,
        ends ?? 'not announced',
        code.TESTED_VERSIONS.includes(version) ? 'yes' : 'no',
      ]),
    );
    expect(statement).toContain(`(${code.VERSIONS_SOURCE.page}), read on ${code.VERSIONS_SOURCE.read}`);
    expect(statement).toContain(`The default is \`${code.DEFAULT_VERSION}\``);
  });

  it('agrees with the catalogue about every feature', () => {
    expect(statementProblems(statement, shapes)).toEqual([]);
    const changed = shapes.map((shape) =>
      shape.id === 'send.text' ? { ...shape, handling: /** @type {const} */ ('raw') } : shape,
    );
    expect(statementProblems(statement, [...changed, { ...find('send.text'), id: 'pigeon.send' }])).toEqual([
      'no feature lists the shape pigeon.send',
      'texts, link previews, replies, recipients by user ID: the page says yes, the catalogue says partly',
    ]);
  });
});
