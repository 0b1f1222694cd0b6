import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** Local build products, safe to delete at any time. */
export const LOCAL = resolve(ROOT, '.local');
