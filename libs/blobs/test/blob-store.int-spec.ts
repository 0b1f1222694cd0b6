import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type BlobStore, createBlobStore } from '../src';
import { type S3Server, startS3Server } from './support/s3-server';

const MEGABYTE = 1024 * 1024;
const hexOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function* chunksOf(bytes: Buffer, chunkBytes = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function* broken(bytes: Buffer): AsyncGenerator<Buffer> {
  yield* chunksOf(bytes);
  throw new Error('the sender went away');
}

async function keysOf(store: BlobStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
}

describe.each(['local', 's3'] as const)('a %s blob store', (kind) => {
  let folder: string;
  let server: S3Server | undefined;
  let store: BlobStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-blobs-'));
    server = kind === 's3' ? await startS3Server() : undefined;
    store = await createBlobStore(server?.settings ?? { BLOB_STORE: 'local', BLOB_DIR: join(folder, 'blobs') });
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const read = async (key: string, range?: { start: number; end: number }): Promise<Buffer> =>
    buffer((await store.get(key, range)).stream);

  it.each([0, 1, 4096, 5 * MEGABYTE, 12 * MEGABYTE + 7])(
    'returns %i stored bytes with their length and hash',
    async (size) => {
      const bytes = randomBytes(size);
      const key = `uploads/acc_1/size-${size}`;
      expect(await store.put(key, chunksOf(bytes), { contentType: 'application/pdf' })).toEqual({
        bytes: size,
        sha256: hexOf(bytes),
      });
      const found = await store.get(key);
      expect(found.bytes).toBe(size);
      expect((await buffer(found.stream)).equals(bytes)).toBe(true);
      expect(await store.stat(key)).toEqual({ key, bytes: size, storedAt: expect.anything() });
    },
  );

  it('returns a byte range', async () => {
    await store.put('uploads/acc_1/part', chunksOf(Buffer.from('0123456789')));
    expect((await read('uploads/acc_1/part', { start: 0, end: 0 })).toString()).toBe('0');
    expect((await read('uploads/acc_1/part', { start: 3, end: 5 })).toString()).toBe('345');
    const last = await store.get('uploads/acc_1/part', { start: 8, end: 99 });
    expect(last.bytes).toBe(2);
    expect((await buffer(last.stream)).toString()).toBe('89');
  });

  it('replaces an existing blob completely', async () => {
    await store.put('uploads/acc_1/twice', chunksOf(Buffer.from('the first and longer one')));
    await store.put('uploads/acc_1/twice', chunksOf(Buffer.from('the second')));
    expect((await read('uploads/acc_1/twice')).toString()).toBe('the second');
  });

  it.each([100, 11 * MEGABYTE])('stores nothing when a write fails after %i bytes', async (size) => {
    const key = `broken/acc_1/after-${size}`;
    await expect(store.put(key, broken(randomBytes(size)))).rejects.toThrow('the sender went away');
    expect(await store.stat(key)).toBeUndefined();
    expect(await keysOf(store, 'broken/')).toEqual([]);
  });

  it('returns NOT_FOUND for missing blobs and deletes idempotently', async () => {
    await store.put('uploads/acc_1/short-lived', chunksOf(Buffer.from('x')));
    await store.delete('uploads/acc_1/short-lived');
    await store.delete('uploads/acc_1/short-lived');
    expect(await store.stat('uploads/acc_1/short-lived')).toBeUndefined();
    await expect(store.get('uploads/acc_1/short-lived')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(store.get('uploads/acc_none/x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(store.get('uploads/acc_1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('lists blobs by whole segments of a prefix', async () => {
    for (const key of ['list/acc_1/a', 'list/acc_1/b', 'list/acc_10/c', 'list/acc_2/d'])
      await store.put(key, chunksOf(Buffer.from(key)));
    expect(await keysOf(store, 'list/acc_1/')).toEqual(['list/acc_1/a', 'list/acc_1/b']);
    expect(await keysOf(store, 'list/')).toEqual(['list/acc_1/a', 'list/acc_1/b', 'list/acc_10/c', 'list/acc_2/d']);
    expect(await keysOf(store, 'nothing/')).toEqual([]);
  });

  it('sweeps old blobs under one prefix only', async () => {
    await store.put('sweep/acc_1/old', chunksOf(Buffer.from('x')));
    await store.put('keep/acc_1/old', chunksOf(Buffer.from('x')));
    const hour = 3_600_000;
    expect(await store.deleteOlderThan('sweep/', new Date(Date.now() - hour))).toBe(0);
    expect(await keysOf(store, 'sweep/')).toEqual(['sweep/acc_1/old']);
    expect(await store.deleteOlderThan('sweep/', new Date(Date.now() + hour))).toBe(1);
    expect(await keysOf(store, 'sweep/')).toEqual([]);
    expect(await keysOf(store, 'keep/')).toEqual(['keep/acc_1/old']);
  });

  it.each(['../outside', 'uploads/../../outside', '/etc/passwd', 'uploads/.unfinished', 'a\0b'])(
    'rejects the key %j in every operation',
    async (key) => {
      await expect(store.put(key, chunksOf(Buffer.from('x')))).rejects.toThrow(TypeError);
      await expect(store.get(key)).rejects.toThrow(TypeError);
      await expect(store.stat(key)).rejects.toThrow(TypeError);
      await expect(store.delete(key)).rejects.toThrow(TypeError);
      await expect(keysOf(store, key)).rejects.toThrow(TypeError);
    },
  );
});
