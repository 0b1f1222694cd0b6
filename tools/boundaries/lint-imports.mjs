// Reads [{ file, code }] from standard input and prints the rules that the imports of each item violate. This is a
// separate program, because the test runner's module loader cannot load ESLint's configuration.
import { readFileSync } from 'node:fs';
import { ESLint } from 'eslint';

const BOUNDARY_RULES = [
  '@nx/enforce-module-boundaries',
  'no-restricted-imports',
  'no-restricted-properties',
  'no-restricted-syntax',
];

const items = JSON.parse(readFileSync(0, 'utf8'));
const eslint = new ESLint();

const results = [];
for (const { file, code } of items) {
  const [result] = await eslint.lintText(code, { filePath: file });
  const messages = result?.messages ?? [];
  const fatal = messages.find((message) => message.fatal);
  if (fatal) throw new Error(`${file}: ${fatal.message}`);
  results.push(messages.map(({ ruleId }) => ruleId).filter((rule) => rule !== null && BOUNDARY_RULES.includes(rule)));
}
process.stdout.write(JSON.stringify(results));
