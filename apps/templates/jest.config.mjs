/** @type {import('jest').Config} */
export default { displayName: 'templates', preset: '../../jest.preset.mjs' };
