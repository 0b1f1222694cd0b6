/** @type {import('jest').Config} */
export default { displayName: 'otp', id: 'switchboard', preset: '../../jest.preset.mjs' };
