import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { type StaticFile, staticFile } from './static-files';

/** Client library, packed for installation from a URL. */
export interface PackedClient {
  /** File name below `/docs/`. */
  name: string;
  language: string;
  /** Returns the install command. @param url URL of the file */
  install(url: string): string;
  file: StaticFile;
}

const KINDS: Record<string, Pick<PackedClient, 'language' | 'install'> & { type: string }> = {
  '.tgz': { language: 'TypeScript', type: 'application/gzip', install: (url) => `npm install ${url}` },
  '.whl': { language: 'Python', type: 'application/zip', install: (url) => `pip install ${url}` },
};

/**
 * Reads the packed clients once, so that requests never access the disk.
 * @param places folders to search; defaults to `clients` beside the program and the build output of `libs`
 * @returns an empty list if the clients were not built
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
