// @ts-check
import { types } from 'node:util';

// Jest runs a test file in a context with an Error of its own. Node's errors come from outside of it, and must be
// instances as well: https://github.com/jestjs/jest/issues/2549
Object.defineProperty(Error, Symbol.hasInstance, {
  value(/** @type {unknown} */ error) {
    return (this === Error && types.isNativeError(error)) || Function.prototype[Symbol.hasInstance].call(this, error);
  },
});
