// @ts-check
// Generates clients from an API description with third-party generators: node client-generators.mjs <description>
// <folder>. A separate program, because the generators need a newer Node than the service.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { generateApi } from 'swagger-typescript-api';

const [input = '', folder = ''] = process.argv.slice(2);
const at = (/** @type {string[]} */ ...parts) => join(resolve(folder), ...parts);

mkdirSync(at(), { recursive: true });
writeFileSync(
  at('openapi-typescript.ts'),
  astToString(await openapiTypescript(JSON.parse(readFileSync(input, 'utf8')))),
);
await createClient({
  input,
  output: at('hey-api'),
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'],
  logs: { level: 'error' },
});
await generateApi({ input, output: at('swagger-typescript-api'), silent: true });
await generate({ input, output: { target: at('orval', 'api.ts'), client: 'fetch', mode: 'single' } });
await generate({ input, output: { target: at('orval-zod', 'api.ts'), client: 'zod', mode: 'single' } });
