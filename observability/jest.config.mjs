/** @type {import('jest').Config} */
export default { displayName: 'observability', preset: '../jest.preset.mjs' };
