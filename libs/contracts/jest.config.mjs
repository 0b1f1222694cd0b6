/** @type {import('jest').Config} */
export default { displayName: 'contracts', id: 'switchboard', preset: '../../jest.preset.mjs' };
