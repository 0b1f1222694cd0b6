/** @type {import('jest').Config} */
export default { displayName: 'pricing', id: 'switchboard', preset: '../../jest.preset.mjs' };
