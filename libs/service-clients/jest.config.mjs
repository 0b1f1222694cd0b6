/** @type {import('jest').Config} */
export default { displayName: 'service-clients', preset: '../../jest.preset.mjs' };
