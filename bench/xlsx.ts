import 'reflect-metadata';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createBlobStore } from '@switchboard/blobs';
import type { Broker } from '@switchboard/broker';
import { createExcelJobV1, newId } from '@switchboard/contracts';
import { deleteNamespace } from '@switchboard/testing';
import ExcelJS from 'exceljs';
import { migrations } from '../apps/jobs/src/migrations';
import { startMessaging } from '../apps/jobs/test/support/messaging';
import { createBenchDatabase, dropBenchDatabase } from './harness/database';
import { serviceStarted } from './harness/installation';
import { measureNeighbours, type NeighbourFigure } from './xlsx-neighbours';
import { inForm } from './harness/form';
import { memoryOf, middleBy, round } from './harness/figures';
import { brokerOf } from './harness/broker';
import type { BenchOptions } from './harness/options';

/** Options. `npm run bench -- xlsx --only rows|neighbours` measures one of the two. */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: { only: { type: 'string', default: '' }, short: { type: 'boolean' } },
});

const ROWS = inForm(100_000, 20_000);
const ROUNDS = 3;
const TIMEOUT_MS = 120_000;
const IN_AN_HOUR_MS = 3_600_000;

export const about = {
  measures: `a spreadsheet of ${ROWS.toLocaleString('en')} rows that is read, validated and stored, and concurrent requests`,
  floor:
    '`bench/xlsx-floor.ts`, exceljs with the whole workbook in memory and one INSERT per row. Baseline for the concurrent requests: the same requests without hostile files',
};

interface Lap {
  seconds: number;
  peakMb: number;
  grownMb: number;
}

interface Figure {
  name: string;
  perSecond: number;
  seconds: number;
  peakMb: number;
  grownMb: number;
  timeRatio?: number;
  memoryRatio?: number;
}

/** Measures the cost of reading a spreadsheet, and its effect on other requests. */
export default async function measure(options: BenchOptions): Promise<(Figure | NeighbourFigure)[]> {
  const rows = given.only === 'neighbours' ? [] : await measureRows(options);
  return [...rows, ...(given.only === 'rows' ? [] : await measureNeighbours(options))];
}

/**
 * Reads, validates and stores a spreadsheet of 100,000 rows. Compares the unmodified jobs service, from request to
 * response, with exceljs, which keeps the whole workbook in memory, and one INSERT per row. Rounds are interleaved;
 * results are medians. Memory is the peak of the process.
 */
async function measureRows({ rabbitmqUrl, databaseUrl, programs, log }: BenchOptions): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-xlsx-'));
  const file = join(folder, 'customers.xlsx');
  await writeSheet(file);
  const url = await createBenchDatabase(databaseUrl, { schema: 'jobs', migrations });
  const laps: { ours: Lap[]; floor: Lap[] } = { ours: [], floor: [] };
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    laps.ours.push(await lapOurs({ folder, file, url, rabbitmqUrl, programs }));
    laps.floor.push(await lapFloor(join(programs, 'xlsx-floor.mjs'), url, file));
    log(
      `round ${turn}: ours ${laps.ours.at(-1)?.seconds.toFixed(1)} s, floor ${laps.floor.at(-1)?.seconds.toFixed(1)} s`,
    );
  }
  await dropBenchDatabase(databaseUrl, url);
  await rm(folder, { recursive: true, force: true });
  const [ours, floor] = [
    figureOf('ours: jobs service', laps.ours),
    figureOf('floor: exceljs + INSERT per row', laps.floor),
  ];
  return [
    { ...ours, timeRatio: round(floor.seconds / ours.seconds), memoryRatio: round(ours.peakMb / floor.peakMb) },
    floor,
  ];
}

/** Writes a spreadsheet like an export from a shop system: numbers as numbers, texts in the shared string table. */
async function writeSheet(filename: string): Promise<void> {
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename, useSharedStrings: true });
  const sheet = book.addWorksheet('Customers');
  sheet.addRow(['phone', '{{1}}', '{{2}}', 'clientRef']).commit();
  for (let row = 0; row < ROWS; row += 1)
    sheet.addRow([919_800_000_000 + row, `Customer ${row}`, `A-${row % 5_000}`, `order-${row}`]).commit();
  await book.commit();
}

interface Setting {
  folder: string;
  file: string;
  url: string;
  rabbitmqUrl: string;
  programs: string;
}

async function lapOurs({ folder, file, url, rabbitmqUrl, programs }: Setting): Promise<Lap> {
  const namespace = `bench-${randomBytes(4).toString('hex')}`;
  const around = await startMessaging({ url: rabbitmqUrl, namespace });
  around.messaging.bodyVariables = ['1', '2'];
  const blobFolder = join(folder, 'blobs');
  const env = {
    DATABASE_URL: url,
    RABBITMQ_URL: rabbitmqUrl,
    BROKER_NAMESPACE: namespace,
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'info',
    BLOB_DIR: blobFolder,
  };
  const service = spawn(process.execPath, [join(programs, 'xlsx-service.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gateway = brokerOf('gateway', rabbitmqUrl, namespace);
  try {
    await serviceStarted(service.stdout);
    await gateway.connect();
    return await measured(service, () => createJob(gateway, file, blobFolder));
  } finally {
    service.kill('SIGTERM');
    if (service.exitCode === null) await once(service, 'exit');
    await gateway.close();
    await around.stop();
    await deleteNamespace(namespace, undefined, rabbitmqUrl);
  }
}

async function createJob(gateway: Broker, file: string, blobFolder: string): Promise<void> {
  const accountId = newId('acc');
  const blobKey = `sheets/${accountId}/bench`;
  await (await createBlobStore({ BLOB_STORE: 'local', BLOB_DIR: blobFolder })).put(blobKey, createReadStream(file));
  const message = { type: 'template' as const, template: { name: 'order_update', language: { code: 'en_US' } } };
  // Schedule the job for later, so that its sends do not overlap with the measurement.
  const scheduledAt = new Date(Date.now() + IN_AN_HOUR_MS).toISOString();
  const { accepted } = await gateway.request(
    createExcelJobV1,
    { accountId, jobId: newId('job'), blobKey, maxRows: ROWS, message, scheduledAt },
    { timeoutMs: TIMEOUT_MS },
  );
  if (accepted !== ROWS) throw new Error(`${accepted} of ${ROWS} rows were accepted`);
}

async function lapFloor(program: string, url: string, file: string): Promise<Lap> {
  const floor = fork(program, [url, file]);
  await once(floor, 'message');
  return measured(floor, async () => {
    floor.send('go');
    const [{ rows }] = (await once(floor, 'message')) as [{ rows: number }];
    if (rows !== ROWS) throw new Error(`the floor stored ${rows} of ${ROWS} rows`);
  });
}

/** Runs the work and reads the peak memory before the process exits. */
async function measured(process: ChildProcess, work: () => Promise<void>): Promise<Lap> {
  const idleMb = memoryOf(process.pid).peakMb;
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const peakMb = memoryOf(process.pid).peakMb;
  return { seconds, peakMb, grownMb: peakMb - idleMb };
}

function figureOf(name: string, laps: readonly Lap[]): Figure {
  const seconds = median(laps.map((lap) => lap.seconds));
  return {
    name,
    perSecond: Math.round(ROWS / seconds),
    seconds: round(seconds),
    peakMb: median(laps.map((lap) => lap.peakMb)),
    grownMb: median(laps.map((lap) => lap.grownMb)),
  };
}

const median = (values: readonly number[]): number => middleBy(values, (value) => value);
