/** @type {import('jest').Config} */
export default { displayName: 'upstream', id: 'switchboard', preset: '../../jest.preset.mjs' };
