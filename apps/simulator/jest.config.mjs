/** @type {import('jest').Config} */
export default { displayName: 'simulator', preset: '../../jest.preset.mjs' };
