// Lets a test import a text file (the simulator's page) as a string, as the bundle does.
module.exports = { process: (text) => ({ code: `export default ${JSON.stringify(text)};` }) };
