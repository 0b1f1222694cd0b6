/** @type {import('jest').Config} */
export default { displayName: 'dashboard', id: 'switchboard', preset: '../../jest.preset.mjs' };
