// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../lib/home.mjs';
import { bundleOptions } from '../lib/swc-plugin.mjs';

/**
 * Bundles and loads the gateway's fuzzer outside the test runner.
 * @returns {Promise<{ fuzz: typeof import('../../apps/gateway/test/fuzz/fuzz').fuzz, operationsOf: typeof
 * import('../../apps/gateway/test/fuzz/fuzz').operationsOf, knownValues: typeof
 * import('../../apps/gateway/test/fuzz/known-values').knownValues }>}
 */
export async function loadFuzzer() {
  const outdir = join(ROOT, 'dist/fuzz');
  const source = join(ROOT, 'apps/gateway/test/fuzz');
  const entryPoints = ['fuzz', 'known-values'].map((name) => join(source, `${name}.ts`));
  await build({
    ...bundleOptions,
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    tsconfig: join(ROOT, 'apps/gateway/tsconfig.json'),
  });
  const [{ fuzz, operationsOf }, { knownValues }] = await Promise.all(
    ['fuzz', 'known-values'].map((name) => import(pathToFileURL(join(outdir, `${name}.mjs`)).href)),
  );
  return { fuzz, operationsOf, knownValues };
}
