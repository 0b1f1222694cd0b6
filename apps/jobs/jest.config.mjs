/** @type {import('jest').Config} */
export default { displayName: 'jobs', preset: '../../jest.preset.mjs' };
