/** @type {import('jest').Config} */
export default { displayName: 'docker', preset: '../jest.preset.mjs' };
