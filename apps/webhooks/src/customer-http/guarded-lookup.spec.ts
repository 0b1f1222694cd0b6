import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { CallError } from './call-error';
import { guardedLookup, notPublic, resolveOne } from './guarded-lookup';

const PUBLIC: LookupAddress = { address: '8.8.8.8', family: 4 };
const PUBLIC_6: LookupAddress = { address: '2606:4700::1111', family: 6 };
const PRIVATE: LookupAddress = { address: '10.0.0.1', family: 4 };

interface Answer {
  error: unknown;
  address: unknown;
  family: unknown;
}

function answering(addresses: LookupAddress[], asked: LookupOptions[] = []): LookupFunction {
  return (_hostname, options, callback) => {
    asked.push(options);
    callback(null, addresses);
  };
}

const failing: LookupFunction = (_hostname, _options, callback) =>
  callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);

function ask(lookup: LookupFunction, options: LookupOptions = { all: true }, allowPrivate = false): Promise<Answer> {
  return new Promise((resolve) => {
    guardedLookup(lookup, allowPrivate)('hook.example.com', options, (error, address, family) =>
      resolve({ error, address, family }),
    );
  });
}

describe('guardedLookup', () => {
  it('returns public addresses unchanged', async () => {
    expect(await ask(answering([PUBLIC, PUBLIC_6]))).toEqual({
      error: null,
      address: [PUBLIC, PUBLIC_6],
      family: undefined,
    });
  });

  it('returns the first address when only one is requested', async () => {
    expect(await ask(answering([PUBLIC_6, PUBLIC]), {})).toEqual({ error: null, address: PUBLIC_6.address, family: 6 });
  });

  it('checks all addresses and keeps the other options', async () => {
    const asked: LookupOptions[] = [];
    await ask(answering([PUBLIC], asked), { family: 4 });
    expect(asked).toEqual([{ family: 4, all: true }]);
  });

  it.each([[[PRIVATE]], [[PUBLIC, PRIVATE]], [[PRIVATE, PUBLIC]]])(
    'rejects a name when any of its addresses is private',
    async (addresses) => {
      const { error, address } = await ask(answering(addresses));
      expect(error).toMatchObject({ errorClass: 'blocked', message: 'its address is not a public one' });
      expect(address).toEqual([]);
    },
  );

  it('returns private addresses when they are allowed', async () => {
    expect(await ask(answering([PRIVATE]), {}, true)).toMatchObject({ error: null, address: PRIVATE.address });
  });

  it('reports a name without addresses and a failed lookup', async () => {
    const none = await ask(answering([]), {}, true);
    expect(none).toMatchObject({
      error: { errorClass: 'dns', message: 'the host name could not be resolved' },
      address: [],
    });
    const failed = await ask(failing, {}, true);
    expect(failed.error).toMatchObject({ errorClass: 'dns', cause: { code: 'ENOTFOUND' } });
  });

  it('treats a result that is not a list as empty', async () => {
    const single: LookupFunction = (_hostname, _options, callback) => callback(null, '8.8.8.8', 4);
    expect((await ask(single)).error).toMatchObject({ errorClass: 'dns' });
  });
});

describe('resolveOne', () => {
  it('returns the first address after the check', async () => {
    expect(await resolveOne('hook.example.com', guardedLookup(answering([PUBLIC, PUBLIC_6]), false))).toBe(
      PUBLIC.address,
    );
    await expect(resolveOne('hook.example.com', guardedLookup(answering([PRIVATE]), false))).rejects.toMatchObject({
      ...notPublic(),
      message: notPublic().message,
    });
  });

  it('requests a single address', async () => {
    const asked: LookupOptions[] = [];
    await resolveOne('hook.example.com', (_hostname, options, callback) => {
      asked.push(options);
      callback(null, '8.8.8.8', 4);
    });
    expect(asked).toEqual([{ all: false }]);
  });
});

describe('notPublic', () => {
  it('is a CallError of class blocked', () => expect(notPublic()).toBeInstanceOf(CallError));
});
