/** @type {import('jest').Config} */
export default { displayName: 'gateway', preset: '../../jest.preset.mjs' };
