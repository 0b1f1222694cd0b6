/** @type {import('jest').Config} */
export default { displayName: 'pricing', preset: '../../jest.preset.mjs' };
