/** @type {import('jest').Config} */
export default { displayName: 'k8s', preset: '../jest.preset.mjs' };
