/** @type {import('jest').Config} */
export default { displayName: 'service-clients', id: 'switchboard', preset: '../../jest.preset.mjs' };
