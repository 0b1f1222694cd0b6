/** @type {import('jest').Config} */
export default { displayName: 'python-client', id: 'switchboard', preset: '../../jest.preset.mjs' };
