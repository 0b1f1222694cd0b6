// Imports a text file (the simulator's page, a guide) as a string in tests, as the bundler does.
module.exports = {
  process: (text) => ({ code: `module.exports = { __esModule: true, default: ${JSON.stringify(text)} };` }),
};
