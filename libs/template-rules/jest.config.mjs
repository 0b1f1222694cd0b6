/** @type {import('jest').Config} */
export default { displayName: 'template-rules', preset: '../../jest.preset.mjs' };
