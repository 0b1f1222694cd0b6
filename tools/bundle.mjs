// Bundles the entry points of one app into dist/. esbuild joins the files, swc compiles each of them,
// because Nest's dependency injection needs the decorator metadata that esbuild does not emit.
// Usage: node tools/bundle.mjs apps/<app>
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { transformFile } from '@swc/core';
import { build } from 'esbuild';

const ENTRY_POINTS = ['main', 'migrate', 'ops'];

const projectRoot = process.argv[2];
if (!projectRoot || !existsSync(projectRoot)) {
  console.error('usage: node tools/bundle.mjs apps/<app>');
  process.exit(2);
}

/** @type {import('esbuild').Plugin} */
const swc = {
  name: 'swc',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await transformFile(path, {
        swcrc: false,
        configFile: false,
        sourceMaps: 'inline',
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          target: 'es2022',
          keepClassNames: true,
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      });
      return { loader: 'js', contents: code };
    });
  },
};

const entryPoints = ENTRY_POINTS.map((name) => resolve(projectRoot, `src/${name}.ts`)).filter(existsSync);

await build({
  entryPoints,
  outdir: resolve('dist/apps', basename(projectRoot)),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  loader: { '.html': 'text' },
  sourcemap: true,
  keepNames: true,
  logLevel: 'warning',
  tsconfig: resolve(projectRoot, 'tsconfig.json'),
  plugins: [swc],
});
