/** @type {import('jest').Config} */
export default { displayName: 'platform', id: 'switchboard', preset: '../../jest.preset.mjs' };
