/** @type {import('jest').Config} */
export default { displayName: 'template-rules', id: 'switchboard', preset: '../../jest.preset.mjs' };
