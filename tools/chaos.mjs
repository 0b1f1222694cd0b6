// @ts-check
// `npm run chaos` lists the chaos tests. `npm run chaos -- send [--sends 2000 …]` runs the long form of one test;
// `--short` selects its short form. `npm run chaos -- all --short` runs all short forms. Each test injects faults into
// a temporary installation (own database, own broker, free ports) and compares the guarantees with the results. Exit
// code 1 means that a guarantee was violated.
import { parseArgs } from 'node:util';
import { COMMANDS } from './chaos/chaos-tests.mjs';
import { runChaosTests } from './chaos/run.mjs';
import { writeJson } from './lib/json-file.mjs';
import { say } from './lib/progress.mjs';

/** All options with their defaults. The type of a default distinguishes numbers from strings. */
const usual = { seed: 0, ...Object.assign({}, ...Object.values(COMMANDS).map(({ long }) => long)) };
const ofCommands = Object.fromEntries(
  Object.keys(usual).map((name) => [name, /** @type {const} */ ({ type: 'string' })]),
);
const { values, positionals } = readOptions();
const { short, report, help, ...texts } = values;
/** @type {Record<string, import('./chaos/chaos-test.mjs').Option>} */
const options = Object.fromEntries(
  Object.entries(texts).map(([name, text]) => [name, typeof usual[name] === 'number' ? Number(text) : String(text)]),
);
const { seed: givenSeed = Date.now() % 2 ** 31, ...given } = options;
const seed = Number(givenSeed);
const names = positionals.includes('all') ? Object.keys(COMMANDS) : positionals;
const unknown = names.filter((name) => !(name in COMMANDS));
const chosen = Object.fromEntries(Object.entries(COMMANDS).filter(([name]) => names.includes(name)));
const problem = problemOf();

if (help || problem !== undefined) {
  say(`${help ? '' : problem}${list()}`);
  process.exit(help || positionals.length === 0 ? 0 : 2);
}
const results = await runChaosTests(chosen, { isShort: short, seed, given });
if (typeof report === 'string') writeJson(report, { results });
const failed = results.filter(({ isKept }) => !isKept).map((result) => result.name);
if (results.length > 1)
  say(`${results.length - failed.length} kept, ${failed.length} NOT kept${failed.map((each) => ` ${each}`).join('')}`);
process.exit(failed.length === 0 ? 0 : 1); // Node 20 sometimes keeps running after a broker connection

/** Reports an unknown option together with the list of commands. */
function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...ofCommands,
        short: { type: 'boolean', default: false },
        report: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\n${list()}`);
    process.exit(2);
  }
}

/**
 * @returns {string | undefined} the problem with the command line, or an empty string without commands; undefined when
 * it is valid
 */
function problemOf() {
  if (names.length === 0) return '';
  if (unknown.length > 0) return `there is no command ${unknown.join(', ')}\n`;
  const wrong = Object.entries({ seed, ...given }).find(
    ([, value]) => typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0),
  );
  if (wrong) return `--${wrong[0]} takes a whole number\n`;
  const foreign = Object.keys(given).find((option) => !Object.values(chosen).some(({ long }) => option in long));
  return foreign && `${names.join(', ')} has no option --${foreign}\n`;
}

function list() {
  const lines = Object.entries(COMMANDS).map(([command, { about, takes, long }]) => {
    const options = Object.entries(long)
      .map(([option, value]) => `--${option} ${value === '' ? '…' : value}`)
      .join(' ');
    return `  ${command.padEnd(12)} ${about}\n${' '.repeat(15)}${takes.long}, short form ${takes.short}; ${options}`;
  });
  return `npm run chaos -- <commands, or all> [--short] [--seed n] [--report file] [options of the command]\n${lines.join('\n')}`;
}
