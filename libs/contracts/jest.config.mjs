/** @type {import('jest').Config} */
export default { displayName: 'contracts', preset: '../../jest.preset.mjs' };
