import { randomUUID } from 'node:crypto';
import type { Dirent, Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@switchboard/contracts';
import { assertKey, assertPrefix } from './blob-key';
import type { BlobFacts, BlobStore, ByteRange } from './blob-store';
import { measured } from './measured';

/**
 * Directory of incomplete files; no key starts with a dot. It must be on the same file system as the blobs, because
 * otherwise the rename is not atomic.
 */
const UNFINISHED = '.unfinished';

/** Stores blobs in a directory, which several hosts may share. */
export class LocalBlobStore implements BlobStore {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
    const path = this.pathOf(key);
    const unfinished = join(this.folder, UNFINISHED, randomUUID());
    await mkdir(dirname(unfinished), { recursive: true });
    const { chunks, facts } = measured(content);
    try {
      await writeDurably(unfinished, chunks);
      await makeFolderDurably(dirname(path));
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    // Until the directory is synced, a power failure can lose the file name, although the bytes are on disk.
    await syncFolder(dirname(path));
    return facts();
  }

  async get(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }> {
    const path = this.pathOf(key);
    const file = await unlessAbsent(open(path, 'r'));
    if (!file) throw new AppError('NOT_FOUND');
    // Open first, so that the size matches the bytes read, even if the file is replaced meanwhile.
    const facts = await file.stat();
    if (!facts.isFile()) {
      await file.close();
      throw new AppError('NOT_FOUND');
    }
    const { size } = facts;
    const start = range?.start ?? 0;
    const end = Math.min(range?.end ?? size - 1, size - 1);
    const stream = file.createReadStream({ start, end: Math.max(start, end) });
    return { stream, bytes: Math.max(0, end - start + 1) };
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  async stat(key: string): Promise<BlobFacts | undefined> {
    const found = await unlessAbsent(stat(this.pathOf(key)));
    return found?.isFile() ? factsOf(key, found) : undefined;
  }

  async *list(prefix: string): AsyncGenerator<BlobFacts> {
    assertPrefix(prefix);
    for (const entry of await this.entriesOf(prefix)) {
      const key = prefix + entry.name;
      if (entry.isDirectory()) yield* this.list(`${key}/`);
      const found = entry.isFile() ? await unlessAbsent(stat(join(this.folder, key))) : undefined;
      if (found) yield factsOf(key, found);
    }
  }

  async deleteOlderThan(prefix: string, before: Date): Promise<number> {
    let removed = 0;
    for await (const blob of this.list(prefix)) {
      if (blob.storedAt >= before) continue;
      await this.delete(blob.key);
      removed += 1;
    }
    await this.deleteUnfinished(prefix, before);
    return removed;
  }

  /** Deletes the incomplete files of all prefixes, because they have no key yet. */
  async deleteUnfinished(_prefix: string, before: Date): Promise<void> {
    for (const entry of await this.entriesOf(UNFINISHED)) {
      const path = join(this.folder, UNFINISHED, entry.name);
      const found = await unlessAbsent(stat(path));
      if (found && found.mtime < before) await rm(path, { force: true });
    }
  }

  private async entriesOf(folder: string): Promise<Dirent[]> {
    return (await unlessAbsent(readdir(join(this.folder, folder), { withFileTypes: true }))) ?? [];
  }

  private pathOf(key: string): string {
    assertKey(key);
    return join(this.folder, key);
  }
}

const factsOf = (key: string, { size, mtime }: Stats): BlobFacts => ({ key, bytes: size, storedAt: mtime });

async function writeDurably(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o640);
  try {
    // Each call appends to the previous one.
    for await (const chunk of chunks) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a directory and syncs its parents, because a new directory is itself an entry that must reach the disk. */
async function makeFolderDurably(folder: string): Promise<void> {
  const outermost = await mkdir(folder, { recursive: true });
  if (outermost === undefined) return;
  for (let made = folder; made.length >= outermost.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
