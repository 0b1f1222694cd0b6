/** @type {import('jest').Config} */
export default { displayName: 'gateway', id: 'switchboard', preset: '../../jest.preset.mjs' };
