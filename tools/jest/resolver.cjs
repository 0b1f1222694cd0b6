// Resolves packages that have only an `import` condition, which Jest's `require` does not find.
const IMPORTED_PACKAGES = /^(@great-detail\/whatsapp|fauxqs|@kubernetes-models|kubernetes-models)(\/|$)/;

module.exports = (path, options) =>
  options.defaultResolver(
    path,
    IMPORTED_PACKAGES.test(path) ? { ...options, conditions: [...options.conditions, 'import'] } : options,
  );
