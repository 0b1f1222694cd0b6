/** @type {import('jest').Config} */
export default { displayName: 'tools', id: 'switchboard', preset: '../jest.preset.mjs' };
