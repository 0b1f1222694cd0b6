/** @type {import('jest').Config} */
export default { displayName: 'tools', preset: '../jest.preset.mjs' };
