/** @type {import('jest').Config} */
export default { displayName: 'database', id: 'switchboard', preset: '../../jest.preset.mjs' };
