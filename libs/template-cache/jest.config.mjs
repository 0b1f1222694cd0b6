/** @type {import('jest').Config} */
export default { displayName: 'template-cache', id: 'switchboard', preset: '../../jest.preset.mjs' };
