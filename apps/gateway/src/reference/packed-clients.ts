import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { type StaticFile, staticFile } from './static-files';

/** A client library, packed as its package manager installs it from an address. */
export interface PackedClient {
  /** Of the file below `/docs/`. */
  name: string;
  language: string;
  /** What installs it. @param url of the file */
  install(url: string): string;
  file: StaticFile;
}

const KINDS: Record<string, Pick<PackedClient, 'language' | 'install'> & { type: string }> = {
  '.tgz': { language: 'TypeScript', type: 'application/gzip', install: (url) => `npm install ${url}` },
  '.whl': { language: 'Python', type: 'application/zip', install: (url) => `pip install ${url}` },
};

/**
 * Reads the packed clients once, so that no request's path ever names a file on disk.
 * @param places absent: `clients` beside the program, or what the build made of `libs`
 * @returns none when they were not built
 */
export function readPackedClients(
  places = ['clients', '../../libs/client', '../../libs/python-client'].map((place) =>
    resolve(import.meta.dirname, place),
  ),
): PackedClient[] {
  return places.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .flatMap((name) => {
        const kind = KINDS[extname(name)];
        if (!kind) return [];
        const { type, ...rest } = kind;
        return [{ name, ...rest, file: staticFile(readFileSync(join(folder, name)), type) }];
      }),
  );
}
