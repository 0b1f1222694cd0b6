import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** What is made on this machine and may be deleted at any time. */
export const LOCAL = resolve(ROOT, '.local');
