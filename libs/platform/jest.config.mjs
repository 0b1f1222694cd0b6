/** @type {import('jest').Config} */
export default { displayName: 'platform', preset: '../../jest.preset.mjs' };
