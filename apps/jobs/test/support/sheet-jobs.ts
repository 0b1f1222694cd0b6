import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BlobStore, createBlobStore } from '@switchboard/blobs';
import {
  createExcelJobV1,
  type CreatedJob,
  type createHeldExcelJobV1,
  type MessageContent,
  newId,
} from '@switchboard/contracts';
import { buildSheetWorker } from './read-all';
import { type RunningJobs, startJobs, TEMPLATE } from './start-jobs';

export interface SheetJobs {
  jobs: RunningJobs;
  /** Folder of the blob store. */
  folder: string;
  blobs: BlobStore;
  /** Stores a spreadsheet as the gateway does. @returns its key */
  store(accountId: string, file: Buffer): Promise<string>;
  /** Creates a job from a spreadsheet as the gateway does. */
  create(accountId: string, file: Buffer, options?: SheetOptions): Promise<CreatedJob>;
  /** Counts the jobs of all accounts. */
  jobCount(): Promise<number>;
  stop(): Promise<void>;
}

interface SheetOptions {
  jobId?: string;
  maxRows?: number;
  /** Body variables of the template. */
  variables?: string[];
  contract?: typeof createExcelJobV1 | typeof createHeldExcelJobV1;
  message?: MessageContent;
}

/** Starts the service with the worker program and its own blob store. */
export async function startSheetJobs(): Promise<SheetJobs> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-sheets-'));
  const worker = await buildSheetWorker();
  const jobs = await startJobs({ BLOB_DIR: folder }, { sheetWorkerUrl: worker.url });
  const blobs = await createBlobStore({ BLOB_STORE: 'local', BLOB_DIR: folder });
  const store = async (accountId: string, file: Buffer): Promise<string> => {
    const blobKey = `sheets/${accountId}/${newId('req')}`;
    await blobs.put(blobKey, once(file));
    return blobKey;
  };
  return {
    jobs,
    folder,
    blobs,
    store,
    create: async (
      accountId,
      file,
      {
        jobId = newId('job'),
        maxRows = 100_000,
        variables = ['1', '2'],
        contract = createExcelJobV1,
        message = TEMPLATE,
      } = {},
    ) => {
      jobs.messaging.bodyVariables = variables;
      const blobKey = await store(accountId, file);
      return jobs.gateway.request(contract, { accountId, jobId, blobKey, maxRows, message });
    },
    jobCount: async () =>
      Number(
        ((await jobs.dataSource.query('SELECT count(*)::int AS count FROM jobs')) as { count: number }[])[0]?.count,
      ),
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
