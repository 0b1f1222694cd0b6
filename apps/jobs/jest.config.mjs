/** @type {import('jest').Config} */
export default { displayName: 'jobs', id: 'switchboard', preset: '../../jest.preset.mjs' };
