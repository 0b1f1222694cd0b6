import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BlobStore, createBlobStore } from '@switchboard/blobs';
import { newId } from '@switchboard/contracts';
import { buildSheetWorker } from './read-all';
import { type RunningJobs, startJobs } from './start-jobs';

export interface SheetJobs {
  jobs: RunningJobs;
  /** Folder of the blob store. */
  folder: string;
  blobs: BlobStore;
  /** Stores a spreadsheet as the gateway does. @returns its key */
  store(accountId: string, file: Buffer): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the service with the worker program and its own blob store. */
export async function startSheetJobs(): Promise<SheetJobs> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-sheets-'));
  const worker = await buildSheetWorker();
  const jobs = await startJobs({ BLOB_DIR: folder }, { sheetWorkerUrl: worker.url });
  const blobs = await createBlobStore({ BLOB_STORE: 'local', BLOB_DIR: folder });
  return {
    jobs,
    folder,
    blobs,
    store: async (accountId, file) => {
      const blobKey = `sheets/${accountId}/${newId('req')}`;
      await blobs.put(blobKey, once(file));
      return blobKey;
    },
    stop: async () => {
      await jobs.stop();
      await worker.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function* once(file: Buffer): AsyncGenerator<Buffer> {
  yield file;
}
