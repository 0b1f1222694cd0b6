/** @type {import('jest').Config} */
export default { displayName: 'docker', id: 'switchboard', preset: '../jest.preset.mjs' };
