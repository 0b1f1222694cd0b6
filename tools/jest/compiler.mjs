// @ts-check
import { createHash } from 'node:crypto';
import { version } from '@swc/core';
import { createTransformer as createSwcTransformer } from '@swc/jest';

/**
 * Compiles with swc. The cache key of `@swc/jest` contains the settings of the whole Jest project, so each of our
 * projects would compile the same libraries again: https://github.com/jestjs/jest/issues/10835
 * @param {object} options swc's options
 */
export function createTransformer(options) {
  // It modifies the options, which belong to Jest's configuration.
  const swc = createSwcTransformer(structuredClone(options));
  const settings = JSON.stringify([version, options]);
  return {
    ...swc,
    getCacheKey: (
      /** @type {string} */ code,
      /** @type {string} */ path,
      /** @type {{ instrument: boolean }} */ { instrument },
    ) =>
      createHash('sha1')
        .update(JSON.stringify([settings, instrument, path]))
        .update(code)
        .digest('hex'),
  };
}

export default { createTransformer };
