/** @type {import('jest').Config} */
export default { displayName: 'database', preset: '../../jest.preset.mjs' };
