/** @type {import('jest').Config} */
export default { displayName: 'blobs', id: 'switchboard', preset: '../../jest.preset.mjs' };
