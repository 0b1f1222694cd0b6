/** @type {import('jest').Config} */
export default { displayName: 'webhooks', id: 'switchboard', preset: '../../jest.preset.mjs' };
