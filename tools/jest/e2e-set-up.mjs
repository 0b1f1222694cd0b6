// @ts-check
export { setup as default } from '../../apps/e2e/global-setup.mjs';
