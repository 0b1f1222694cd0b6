// @ts-check
import { types } from 'node:util';

// Jest runs a test file in a context with its own Error class. Make Node's errors, which are created outside that
// context, instances of this class too: https://github.com/jestjs/jest/issues/2549
Object.defineProperty(Error, Symbol.hasInstance, {
  value(/** @type {unknown} */ error) {
    return (this === Error && types.isNativeError(error)) || Function.prototype[Symbol.hasInstance].call(this, error);
  },
});
