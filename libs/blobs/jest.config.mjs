/** @type {import('jest').Config} */
export default { displayName: 'blobs', preset: '../../jest.preset.mjs' };
