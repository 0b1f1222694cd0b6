// @ts-check
export { setup as default } from '../test-global-setup.mjs';
