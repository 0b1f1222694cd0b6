/** @type {import('jest').Config} */
export default { displayName: 'client', id: 'switchboard', preset: '../../jest.preset.mjs' };
