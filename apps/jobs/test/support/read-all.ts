import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { newId } from '@switchboard/contracts';
import { defineConfig, readConfig } from '@switchboard/platform';
import type { SheetHeader } from '../../src/sheets/header';
import type { SheetRow } from '../../src/sheets/read-sheet';
import { sheetFields } from '../../src/sheets/sheet-fields';
import { SheetReader } from '../../src/sheets/sheet-reader';

const ROOT = resolve(import.meta.dirname, '../../../..');

export interface BuiltWorker {
  url: URL;
  remove(): Promise<void>;
}

/** Bundles the worker program as in a release. The bundle is inside the checkout, so that it finds its packages. */
export async function buildSheetWorker(): Promise<BuiltWorker> {
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, 'dist/sheet-worker-'));
  await promisify(execFile)(process.execPath, ['tools/bundle.mjs', 'apps/jobs', folder, 'sheet-worker'], { cwd: ROOT });
  return {
    url: pathToFileURL(join(folder, 'sheet-worker.mjs')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Creates a reader with the default settings, except for the given ones. */
export function sheetReader(worker: BuiltWorker, settings: Record<string, string> = {}): SheetReader {
  return new SheetReader(worker.url, readConfig(defineConfig('sheets', sheetFields), settings));
}

export async function readAll(
  reader: SheetReader,
  file: Buffer,
  rows = 100_000,
): Promise<{ header: SheetHeader | undefined; rows: SheetRow[] }> {
  let header: SheetHeader | undefined;
  const all: SheetRow[] = [];
  for await (const piece of reader.read(() => Promise.resolve(new Uint8Array(file)), {
    accountId: newId('acc'),
    rows,
    signal: new AbortController().signal,
  })) {
    if ('header' in piece) header = piece.header;
    else if ('rows' in piece) all.push(...piece.rows);
  }
  return { header, rows: all };
}
