/** @type {import('jest').Config} */
export default { displayName: 'broker', preset: '../../jest.preset.mjs' };
