/** @type {import('jest').Config} */
export default { displayName: 'upstream', preset: '../../jest.preset.mjs' };
