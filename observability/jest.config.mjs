/** @type {import('jest').Config} */
export default { displayName: 'observability', id: 'switchboard', preset: '../jest.preset.mjs' };
