/** @type {import('jest').Config} */
export default { displayName: 'webhooks', preset: '../../jest.preset.mjs' };
