import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

export interface DashboardFile {
  type: string;
  etag: string;
  body: Buffer;
  /** Content that the build compressed with brotli. */
  brotli?: Buffer;
}

/** Files built by the dashboard project. */
export interface DashboardFiles {
  page: string;
  /** Assets by name, in one flat folder. Names contain a content hash, so files are immutable. */
  assets: ReadonlyMap<string, DashboardFile>;
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * Reads the built dashboard once, so that requests never access the disk.
 * @param folder folder of the dashboard; defaults to `dashboard` beside the program, or `dist/apps/dashboard` beside
 * `dist/apps/gateway`
 * @returns undefined if the dashboard was not built
 */
export function readDashboard(folder: string | undefined): DashboardFiles | undefined {
  const places = folder === undefined ? ['dashboard', '../dashboard'] : [folder];
  const found = places
    .map((place) => resolve(import.meta.dirname, place))
    .find((place) => existsSync(join(place, 'index.html')));
  if (found === undefined) return undefined;
  const assets = join(found, 'assets');
  const names = readdirSync(assets);
  return {
    page: readFileSync(join(found, 'index.html'), 'utf8'),
    assets: new Map(
      names
        .filter((name) => extname(name) in TYPES)
        .map((name) => [name, readAsset(assets, name, names.includes(`${name}.br`))]),
    ),
  };
}

function readAsset(folder: string, name: string, hasBrotli: boolean): DashboardFile {
  const body = readFileSync(join(folder, name));
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
    body,
    ...(hasBrotli && { brotli: readFileSync(join(folder, `${name}.br`)) }),
  };
}
