// @ts-check
import { transform, transformFile } from '@swc/core';

/** Compiler options of the bundles and the tests. @type {import('@swc/core').Options} */
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

/** Compiles one file for the tests with the options of the bundles. @param {string} code @param {string} path */
export function compileForNest(code, path) {
  return transform(code, { ...compilerOptions, filename: path, sourceMaps: true });
}

/**
 * Compiles each file with swc while esbuild bundles, because Nest's dependency injection needs decorator metadata,
 * which esbuild does not emit.
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

/** Returns swc's error message with the source lines, without the compiler's stack. */
function placeOf(/** @type {unknown} */ error) {
  const [place = ''] = (error instanceof Error ? error.message : String(error)).split(/\n\s*Caused by:/);
  return place.trim();
}

/**
 * Common options of all bundles. Node's built-in modules and the packages remain external.
 * @type {import('esbuild').BuildOptions}
 */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  loader: { '.css': 'text', '.html': 'text', '.md': 'text' },
  sourcemap: true,
  keepNames: true,
  logLevel: 'warning',
  plugins: [swcPlugin],
};
