import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ApiDescription, Described } from './described';

/** Checked-in API description. */
export const described = new Described(
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8')) as ApiDescription,
);
