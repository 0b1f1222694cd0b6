/** @type {import('jest').Config} */
export default { displayName: 'otp', preset: '../../jest.preset.mjs' };
