/** @type {import('jest').Config} */
export default { displayName: 'templates', id: 'switchboard', preset: '../../jest.preset.mjs' };
