// @ts-check
// npm run faults -- send [--sends 2000] [--kills 20] | bulk [--recipients 50000] [--kills 20] | otp [--sends 1200] [--kills 20]
//   | webhooks [--events 5000] [--kills 50] | schedule [--events 100] (36 minutes, hardly any load)
//   | away [--broker 60] [--database 20] (seconds) | idempotency | credits; most take a --seed, too
// Injects faults into a throw-away installation of its own (own database, own broker, free ports) and compares what was promised
// with what happened. Exit code 1 when they differ.
import { parseArgs } from 'node:util';
import { runAwayFaults } from './faults/away.mjs';
import { runBulkFaults } from './faults/bulk.mjs';
import { runCreditFaults } from './faults/credits.mjs';
import { runIdempotencyFaults } from './faults/idempotency.mjs';
import { runOtpFaults } from './faults/otp.mjs';
import { runSendFaults } from './faults/send.mjs';
import { runSchedule } from './faults/webhooks-schedule.mjs';
import { runWebhookFaults } from './faults/webhooks.mjs';

const COMMANDS = { send: runSendFaults, bulk: runBulkFaults, otp: runOtpFaults, idempotency: runIdempotencyFaults, credits: runCreditFaults, away: runAwayFaults, webhooks: runWebhookFaults, schedule: runSchedule };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sends: { type: 'string' }, recipients: { type: 'string' }, kills: { type: 'string' }, events: { type: 'string' }, seed: { type: 'string' }, broker: { type: 'string' }, database: { type: 'string' } },
});
const command = COMMANDS[/** @type {keyof typeof COMMANDS} */ (positionals[0])];
const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));

if (!command || Object.values(numbers).some((value) => !Number.isSafeInteger(value) || value < 0)) {
  process.stderr.write(`usage: npm run faults -- ${Object.keys(COMMANDS).join('|')} [--sends n] [--recipients n] [--events n] [--kills n] [--seed n] [--broker seconds] [--database seconds]\n`);
  process.exitCode = 2;
} else {
  process.exit((await command(numbers)) ? 0 : 1); // Node 20 sometimes does not end on its own after a broker connection
}
