// Lets a test import a text file (the simulator's page, a guide) as a string, as the bundle does.
module.exports = {
  process: (text) => ({ code: `module.exports = { __esModule: true, default: ${JSON.stringify(text)} };` }),
};
