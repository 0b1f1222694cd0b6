// @ts-check
import { transformFile } from '@swc/core';

/**
 * esbuild joins the files, swc compiles each of them, because Nest's dependency injection needs the decorator metadata
 * that esbuild does not emit.
 * @type {import('esbuild').Plugin}
 */
export const swcPlugin = {
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

/** What every bundle of ours has in common: Node's own modules and the packages stay outside. @type {import('esbuild').BuildOptions} */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  loader: { '.html': 'text' },
  sourcemap: true,
  keepNames: true,
  logLevel: 'warning',
  plugins: [swcPlugin],
};
