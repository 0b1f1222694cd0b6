/** @type {import('jest').Config} */
export default { displayName: 'template-cache', preset: '../../jest.preset.mjs' };
