/** @type {import('jest').Config} */
export default { displayName: 'simulator', id: 'switchboard', preset: '../../jest.preset.mjs' };
