/** @type {import('jest').Config} */
export default { displayName: 'messaging', preset: '../../jest.preset.mjs' };
