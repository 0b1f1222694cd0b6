// @ts-check
import { transform, transformFile } from '@swc/core';

/** How the bundles are compiled, and the tests. @type {import('@swc/core').Options} */
export const compilerOptions = {
  swcrc: false,
  configFile: false,
  module: { type: 'es6' },
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    target: 'es2022',
    keepClassNames: true,
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

/** Compiles one file for the tests, as the bundles have it. @param {string} code @param {string} path */
export function compileForNest(code, path) {
  return transform(code, { ...compilerOptions, filename: path, sourceMaps: true });
}

/**
 * esbuild joins the files, swc compiles each of them, because Nest's dependency injection needs the decorator metadata
 * that esbuild does not emit.
 * @type {import('esbuild').Plugin}
 */
export const swcPlugin = {
  name: 'swc',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      try {
        const { code } = await transformFile(path, { ...compilerOptions, sourceMaps: 'inline' });
        return { loader: 'js', contents: code };
      } catch (error) {
        return { errors: [{ text: placeOf(error) }] };
      }
    });
  },
};

/** What swc says of a mistake, with the lines around it, and without the compiler's own stack. */
function placeOf(/** @type {unknown} */ error) {
  const [place = ''] = (error instanceof Error ? error.message : String(error)).split(/\n\s*Caused by:/);
  return place.trim();
}

/**
 * What every bundle of ours has in common: Node's own modules and the packages stay outside. @type
 * {import('esbuild').BuildOptions}
 */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  loader: { '.html': 'text', '.md': 'text' },
  sourcemap: true,
  keepNames: true,
  logLevel: 'warning',
  plugins: [swcPlugin],
};
