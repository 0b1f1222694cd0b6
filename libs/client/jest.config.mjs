/** @type {import('jest').Config} */
export default { displayName: 'client', preset: '../../jest.preset.mjs' };
