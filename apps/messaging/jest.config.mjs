/** @type {import('jest').Config} */
export default { displayName: 'messaging', id: 'switchboard', preset: '../../jest.preset.mjs' };
