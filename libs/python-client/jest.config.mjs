/** @type {import('jest').Config} */
export default { displayName: 'python-client', preset: '../../jest.preset.mjs' };
