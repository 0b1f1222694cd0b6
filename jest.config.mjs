// All unit tests at once: one map of the files, so that `--changedSince` follows imports from one project into another.
// The projects' own jest.config.mjs are for `nx test`.
/** @type {import('jest').Config} */
export default {
  preset: './jest.preset.mjs',
  roots: ['apps', 'libs', 'tools', 'docker', 'k8s', 'observability'].map((folder) => `<rootDir>/${folder}`),
};
