// @ts-check
// npm run faults -- <name> [--sends 2000] [--kills 20] [--seed n]: injects faults into a throw-away installation of its own (own database, own
// broker, free ports) and compares what was promised with what happened. Exit code 1 when they differ.
import { parseArgs } from 'node:util';
import { runSendFaults } from './faults/send.mjs';

const COMMANDS = { send: runSendFaults };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sends: { type: 'string' }, kills: { type: 'string' }, seed: { type: 'string' } },
});
const command = COMMANDS[/** @type {keyof typeof COMMANDS} */ (positionals[0])];
const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));

if (!command || Object.values(numbers).some((value) => !Number.isSafeInteger(value) || value < 0)) {
  process.stderr.write(`usage: npm run faults -- ${Object.keys(COMMANDS).join('|')} [--sends n] [--kills n] [--seed n]\n`);
  process.exitCode = 2;
} else {
  process.exit((await command(numbers)) ? 0 : 1); // Node 20 sometimes does not end on its own after a broker connection
}
