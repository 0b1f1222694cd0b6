// @ts-check
export { teardown as default } from '../test-global-setup.mjs';
