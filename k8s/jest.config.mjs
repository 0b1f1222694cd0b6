/** @type {import('jest').Config} */
export default { displayName: 'k8s', id: 'switchboard', preset: '../jest.preset.mjs' };
