import { bytesKeptBy } from '@switchboard/testing';
import type { ApiClient } from '../request-context/client';
import { KeyCache } from './key-cache';

const clientOf = (keyId: string) => ({ keyId }) as ApiClient;

/** Creates a load that completes on release. */
function heldLoad(client: ApiClient | undefined) {
  let release: () => void = () => undefined;
  const load = () => new Promise<ApiClient | undefined>((resolve) => (release = () => resolve(client)));
  return { load, release: () => release() };
}

describe('KeyCache', () => {
  it('loads a client once for concurrent requests', async () => {
    const cache = new KeyCache();
    let loads = 0;
    const load = async () => {
      loads += 1;
      return clientOf('key_1');
    };
    await Promise.all([cache.find('a', load), cache.find('a', load)]);
    await cache.find('a', load);
    expect(loads).toBe(1);
    await cache.find('b', load);
    expect(loads).toBe(2);
  });

  it('evicts matching clients only', async () => {
    const cache = new KeyCache();
    for (const keyId of ['key_1', 'key_2']) await cache.find(keyId, async () => clientOf(keyId));
    cache.evict(({ keyId }) => keyId === 'key_1');
    await expect(cache.find('key_1', async () => clientOf('changed'))).resolves.toEqual(clientOf('changed'));
    await expect(cache.find('key_2', async () => clientOf('changed'))).resolves.toEqual(clientOf('key_2'));
  });

  it('discards loads that were in progress during a change', async () => {
    const cache = new KeyCache();
    const { load, release } = heldLoad(clientOf('old'));
    const early = cache.find('a', load);
    cache.evict(() => false);
    release();
    await expect(early).resolves.toEqual(clientOf('old'));
    await expect(cache.find('a', async () => clientOf('new'))).resolves.toEqual(clientOf('new'));
  });

  it('caches unknown keys briefly, until something changes', async () => {
    const cache = new KeyCache();
    await expect(cache.find('a', async () => undefined)).resolves.toBeUndefined();
    await expect(cache.find('a', async () => clientOf('not read'))).resolves.toBeUndefined();
    cache.evict(() => false);
    await expect(cache.find('a', async () => clientOf('now there'))).resolves.toEqual(clientOf('now there'));
    await cache.find('b', async () => undefined);
    cache.clear();
    await expect(cache.find('b', async () => clientOf('now there'))).resolves.toEqual(clientOf('now there'));
  });

  it('does not cache a newly created key as unknown', async () => {
    const cache = new KeyCache();
    const { load, release } = heldLoad(undefined);
    const early = cache.find('a', load);
    cache.evict(() => false);
    release();
    await expect(early).resolves.toBeUndefined();
    await expect(cache.find('a', async () => clientOf('now there'))).resolves.toEqual(clientOf('now there'));
  });

  it('keeps valid keys when a caller tries many unknown ones', async () => {
    const cache = new KeyCache();
    await cache.find('good', async () => clientOf('good'));
    for (let index = 0; index < 10_001; index += 1) await cache.find(String(index), async () => undefined);
    await expect(cache.find('good', async () => clientOf('read again'))).resolves.toEqual(clientOf('good'));
  });

  it('does not cache a failed load', async () => {
    const cache = new KeyCache();
    await expect(cache.find('a', () => Promise.reject(new Error('database away')))).rejects.toThrow('database away');
    await expect(cache.find('a', async () => clientOf('now there'))).resolves.toEqual(clientOf('now there'));
  });

  it('bounds its size with the longest route lists', async () => {
    const cache = new KeyCache();
    const longest = (): string[] =>
      Array.from({ length: 100 }, (_unused, route) => Buffer.alloc(100, String(route)).toString());
    const bytes = await bytesKeptBy(async () => {
      for (let index = 0; index < 5_000; index += 1) {
        await cache.find(String(index), async () => ({ ...clientOf('first'), allowedRoutes: longest() }));
      }
      return cache;
    });
    expect(bytes).toBeLessThan(40 * 1024 * 1024);
    await expect(cache.find('0', async () => clientOf('again'))).resolves.toEqual(clientOf('again'));
    await expect(cache.find('4999', async () => clientOf('again'))).resolves.toMatchObject(clientOf('first'));
  });
});
