// @ts-check
import { types } from 'node:util';

// Jest runs a test file in a context with its own Error class. Makes Node's errors, which come from outside that
// context, instances of it as well: https://github.com/jestjs/jest/issues/2549
Object.defineProperty(Error, Symbol.hasInstance, {
  value(/** @type {unknown} */ error) {
    return (this === Error && types.isNativeError(error)) || Function.prototype[Symbol.hasInstance].call(this, error);
  },
});
