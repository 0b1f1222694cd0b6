// @ts-check
export { teardown as default } from '../../apps/e2e/global-setup.mjs';
