/** @type {import('jest').Config} */
export default { displayName: 'dashboard', preset: '../../jest.preset.mjs' };
