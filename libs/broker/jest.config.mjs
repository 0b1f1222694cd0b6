/** @type {import('jest').Config} */
export default { displayName: 'broker', id: 'switchboard', preset: '../../jest.preset.mjs' };
