// @ts-check
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSources } from '../generate/load.mjs';
import { apiFaults } from './api-changes.mjs';
import { contractFaults, freezeContract, shapeFaults } from './contract-changes.mjs';
import { freeze, FROZEN_FOLDER, readFrozenApi, readFrozenContracts } from './frozen.mjs';

/** @typedef {import('./contract-changes.mjs').Shape} Shape */

/** @type {import('../generate/load.mjs').Sources} */
let sources;
/** @type {Record<string, any>} */
let description;
/** @type {string} */
let folder;

beforeAll(async () => {
  sources = await loadSources();
  description = await sources.describeApi('http://localhost:3000');
  folder = mkdtempSync(join(tmpdir(), 'switchboard-frozen-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Contract changes that only requests with a new feature meet. Services of an earlier release reject such a request with
 * a 400 and change nothing, so operators upgrade all services before they use the feature.
 */
const NEW_FEATURES = [
  // An uploaded file has an `id` in place of the link (spec §3.4.9).
  /\.(image|document|video|audio|sticker|gif)\.link may be left out/,
];
/** API changes that CHANGELOG.md announces to clients. */
const ANNOUNCED = [
  // Null for a contact who was blocked by user id (spec §3.13.8).
  'GET /v1/blocks 200.blocks[].phone was string, and is string,null',
];

describe('compatibility with releases', () => {
  it('keeps every contract compatible with services of every release', () => {
    const { contracts } = sources;
    const byName = new Map(contracts.ALL_CONTRACTS.map((contract) => [contract.name, contract]));
    const frozen = Object.entries(readFrozenContracts());
    expect(frozen.length).toBeGreaterThan(100);
    const faults = frozen.flatMap(([name, releases]) =>
      releases.flatMap((one) => contractFaults(one, byName.get(name), contracts).map((fault) => `${name}: ${fault}`)),
    );
    expect(faults.filter((fault) => !NEW_FEATURES.some((feature) => feature.test(fault)))).toEqual([]);
    expect(NEW_FEATURES.filter((feature) => !faults.some((fault) => feature.test(fault)))).toEqual([]);
  });

  it('keeps the API and webhook bodies compatible with existing clients', () => {
    expect(apiFaults(readFrozenApi()['description'], description)).toEqual(ANNOUNCED);
  });
});

describe('npm run freeze', () => {
  it('freezes a release only once', () => {
    const { contracts } = sources;
    const added = freeze({ contracts, description, release: '1.0.0', folder });
    expect(added).toHaveLength(contracts.ALL_CONTRACTS.length);
    expect(() => freeze({ contracts, description, release: '1.0.0', folder })).toThrow('frozen already');
    expect(freeze({ contracts, description, release: '1.1.0', folder })).toEqual([]);
    expect(Object.keys(readFrozenContracts(folder))).toHaveLength(contracts.ALL_CONTRACTS.length);
  });

  it.each(readdirSync(FROZEN_FOLDER))('detects a manual change of %s', (name) => {
    const text = readFileSync(join(FROZEN_FOLDER, name), 'utf8');
    const changed = text
      .replace('"type":"string"', '"type":"number"')
      .replace('"isOptional":false', '"isOptional":true');
    expect(changed).not.toBe(text);
    writeFileSync(join(folder, name), changed);
    expect(() => (name === 'api.json' ? readFrozenApi(folder) : readFrozenContracts(folder))).toThrow('was changed');
    writeFileSync(join(folder, name), text);
  });
});

describe('a contract that was removed or changed its kind', () => {
  it('is incompatible', () => {
    const { contracts } = sources;
    const [contract, other] = [contracts.COMMANDS[0], contracts.TASKS[0]];
    if (!contract) throw new Error('there is no command');
    const frozen = freezeContract(contract, contracts, '1.0.0');
    expect(contractFaults(frozen, contract, contracts)).toEqual([]);
    expect(contractFaults(frozen, undefined, contracts)).toEqual(['is gone since 1.0.0']);
    expect(contractFaults(frozen, other, contracts)).toEqual(['was a command and is a task']);
  });

  it('rejects a previous sample that is invalid or loses a field', () => {
    const { contracts } = sources;
    const contract = contracts.TASKS[0];
    if (!contract) throw new Error('there is no task');
    const frozen = freezeContract(contract, contracts, '1.0.0');
    const { body } = frozen.bodies;
    if (!body) throw new Error('a task has a body');
    const refused = { ...frozen, bodies: { body: { ...body, sample: {} } } };
    expect(contractFaults(refused, contract, contracts).join()).toContain('the sample of then is refused');
    const more = { .../** @type {object} */ (body.sample), gone: 1 };
    const lost = { ...frozen, bodies: { body: { ...body, sample: more } } };
    expect(contractFaults(lost, contract, contracts)).toEqual(['body: the sample of then loses fields']);
  });
});

const text = { name: 'isString', each: false, constraints: [] };
const oneOf = (/** @type {string[]} */ ...values) => ({ name: 'isIn', each: false, constraints: [values] });
const longest = (/** @type {number} */ count) => ({ name: 'maxLength', each: false, constraints: [count] });
const field = (/** @type {object} */ more = {}) => ({ isOptional: false, rules: [text], ...more });
/** @type {Shape} */
const SHAPE = {
  id: field(),
  note: field({ isOptional: true }),
  kind: field({ rules: [oneOf('a', 'b')] }),
  name: field({ rules: [text, longest(10)] }),
  inner: field({ rules: [], nested: { id: field() } }),
};

describe('shapeFaults', () => {
  it.each([
    ['with another optional field', { more: field({ isOptional: true }) }],
    ['with another value', { kind: field({ rules: [oneOf('a', 'b', 'c')] }) }],
    ['with a higher limit', { name: field({ rules: [text, longest(20)] }) }],
    ['without a limit', { name: field({ rules: [text] }) }],
    [
      'with an optional nested field',
      { inner: field({ rules: [], nested: { id: field(), b: field({ isOptional: true }) } }) },
    ],
  ])('accepts a body %s', (_, change) => expect(shapeFaults(SHAPE, { ...SHAPE, ...change }, 'body')).toEqual([]));

  it.each([
    ['with a required field', { more: field() }, 'body.more is new and required'],
    ['without a value', { kind: field({ rules: [oneOf('a')] }) }, 'body.kind: isIn'],
    ['with a lower limit', { name: field({ rules: [text, longest(5)] }) }, 'body.name: maxLength'],
    ['with a new limit', { id: field({ rules: [text, longest(5)] }) }, 'body.id: maxLength'],
    ['of another type', { id: field({ rules: [{ ...text, name: 'isInt' }] }) }, 'body.id: isInt'],
    ['with an optional field made required', { note: field() }, 'body.note is required'],
    ['with a required field made optional', { id: field({ isOptional: true }) }, 'body.id may be left out'],
    ['without a nested field', { inner: field({ rules: [], nested: {} }) }, 'body.inner.id is gone'],
    ['without the nested object', { inner: field({ rules: [] }) }, 'body.inner is another kind of value'],
  ])('rejects a body %s', (_, change, fault) =>
    expect(shapeFaults(SHAPE, { ...SHAPE, ...change }, 'body').join()).toContain(fault),
  );

  it('rejects a removed field', () => {
    const rest = Object.fromEntries(Object.entries(SHAPE).filter(([name]) => name !== 'id'));
    expect(shapeFaults(SHAPE, rest, 'body')).toEqual(['body.id is gone']);
  });
});

describe('apiFaults', () => {
  const change = (/** @type {(api: Record<string, any>) => void} */ work) => {
    const api = structuredClone(description);
    work(api);
    return apiFaults(description, api);
  };
  const send = (/** @type {Record<string, any>} */ api) => api['paths']['/v1/messages/send'].post;
  const list = (/** @type {Record<string, any>} */ api) => api['paths']['/v1/messages'].get;
  const schema = (/** @type {Record<string, any>} */ api, /** @type {string} */ name) => {
    const found = api['components'].schemas[name];
    if (found === undefined) throw new Error(`there is no schema ${name}`);
    return found;
  };
  /** Returns the schema of a list's 200 response, and of its first required field. */
  const page = (/** @type {Record<string, any>} */ api) => {
    const name = list(api).responses['200'].content['application/json'].schema['$ref'].split('/').at(-1);
    return schema(api, name);
  };

  it('accepts an unchanged API', () => expect(change(() => undefined)).toEqual([]));

  it('accepts additions of every kind', () => {
    const faults = change((api) => {
      api['paths']['/v1/new'] = structuredClone(api['paths']['/v1/me']);
      list(api).parameters.push({ name: 'more', in: 'query', required: false, schema: { type: 'string' } });
      page(api).properties.more = { type: 'string' };
      page(api).required.push('more');
      const taken = schema(api, 'SendMessageRequest');
      (taken.properties ?? Object.assign(taken, { properties: {} }).properties).more = { type: 'string' };
      api['webhooks'].more = structuredClone(api['webhooks'].message);
      schema(api, 'MessageStatusEvent').properties.more = { type: 'string' };
      schema(api, 'MessageStatusEvent').required.push('more');
    });
    expect(faults).toEqual([]);
  });

  it('accepts a boolean instead of text only in a form', () => {
    const turn = (/** @type {string} */ name, /** @type {string} */ field) =>
      change((api) => (schema(api, name).properties[field].type = 'boolean'));
    expect(turn('SendBulkExcelUpload', 'templateName')).toEqual([]);
    expect(turn('SendOtpRequest', 'otp').join()).toContain('was string, and is boolean');
  });

  /** Splits the body of an event into a union of two variants. */
  const split = (/** @type {any} */ api, /** @type {(kinds: any[]) => void} */ work) => {
    const { PhoneNumberQualityEvent: body } = api.components.schemas;
    const kinds = [structuredClone(body), structuredClone(body)];
    work(kinds);
    Object.assign(api.components.schemas, { FirstKind: kinds[0], SecondKind: kinds[1] });
    api.components.schemas.PhoneNumberQualityEvent = {
      oneOf: [{ $ref: '#/components/schemas/FirstKind' }, { $ref: '#/components/schemas/SecondKind' }],
    };
  };

  it.each([
    ['of the same fields', () => undefined, ''],
    ['one of which lacks a field', (/** @type {any[]} */ kinds) => delete kinds[0].properties.messagingLimit, ''],
    [
      'that all lack a field',
      (/** @type {any[]} */ kinds) => kinds.forEach(({ properties }) => delete properties.messagingLimit),
      '.messagingLimit is gone',
    ],
    ['one of which may lack a field', (/** @type {any[]} */ kinds) => (kinds[1].required = []), 'may be absent'],
  ])('compares an event with variants %s', (_, work, fault) => {
    const faults = change((api) => split(api, work)).join('\n');
    expect(fault === '' ? faults : faults.includes(fault)).toBe(fault === '' ? '' : true);
  });

  it.each([
    ['an operation', (/** @type {any} */ api) => delete api.paths['/v1/me'].get, 'GET /v1/me is gone'],
    ['an operation name', (/** @type {any} */ api) => (send(api).operationId = 'x'), 'was called sendMessage'],
    ['a parameter', (/** @type {any} */ api) => list(api).parameters.shift(), 'query direction is gone'],
    [
      'a value of a parameter',
      (/** @type {any} */ api) => list(api).parameters[0].schema.enum.shift(),
      'query direction is never inbound',
    ],
    ['a response', (/** @type {any} */ api) => delete list(api).responses['200'], 'answers 200 no more'],
    ['a field of a response', (/** @type {any} */ api) => delete page(api).properties.messages, '.messages is gone'],
    ['the required status of a field', (/** @type {any} */ api) => (page(api).required = []), 'may be absent'],
    ['an event', (/** @type {any} */ api) => delete api.webhooks.message, 'the event message is gone'],
    [
      'a media type of a body',
      (/** @type {any} */ api) => delete send(api).requestBody.content['multipart/form-data'],
      'multipart/form-data is gone',
    ],
  ])('rejects a description without %s', (_, work, fault) => expect(change(work).join('\n')).toContain(fault));

  it.each([
    [
      'a parameter',
      (/** @type {any} */ api) => list(api).parameters.push({ name: 'x', in: 'query', required: true, schema: {} }),
      'demands query x',
    ],
    [
      'a field of a body',
      (/** @type {any} */ api) => {
        const taken = schema(api, 'SendOtpRequest');
        taken.properties.more = { type: 'string' };
        taken.required.push('more');
      },
      '.more is demanded',
    ],
    [
      'a shorter value',
      (/** @type {any} */ api) => (schema(api, 'SendOtpRequest').properties.otp.maxLength = 1),
      'maxLength is 1',
    ],
    [
      'another type',
      (/** @type {any} */ api) => (schema(api, 'SendOtpRequest').properties.otp.type = 'integer'),
      'is integer',
    ],
  ])('rejects a description that requires %s', (_, work, fault) => expect(change(work).join('\n')).toContain(fault));
});
