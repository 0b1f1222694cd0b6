// @ts-check
import { startInstallation } from '../faults/installation.mjs';
import { step } from '../lib/progress.mjs';
import { eventually } from '../lib/wait.mjs';

const PROGRAMS = ['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks', 'simulator'];
const CONTACTS = ['919812345678', '919812345679'];

/** An installation with an account that has numbers, templates, messages, a file, and no limit to speak of. */
export async function startFuzzedInstallation() {
  const installation = await startInstallation({ name: 'fuzz', programs: PROGRAMS, environment: { LOG_LEVEL: 'error' } });
  try {
    const apiKey = await step('account, number, messages', () => prepare(installation));
    return { url: installation.baseUrl.replace(/\/v1$/, ''), apiKey, exits: installation.exits, stop: () => step('stop', () => installation.stop()) };
  } catch (error) {
    await installation.stop();
    throw error;
  }
}

async function prepare(/** @type {import('../faults/installation.mjs').Installation} */ installation) {
  await installation.ops('plans', 'set', '--name', 'growth', '--rate-limit', '10000000');
  const { apiKey } = await installation.ops('demo', 'seed');
  for (const from of CONTACTS) await writeIn(installation, { from, type: 'text', text: { body: 'Hello' } });
  await writeIn(installation, { from: CONTACTS[0], type: 'image' });
  const headers = { authorization: `Bearer ${apiKey}` };
  const arrived = async () => {
    const answer = await fetch(`${installation.baseUrl}/messages?direction=inbound`, { headers });
    return /** @type {{ messages?: unknown[] }} */ (await answer.json()).messages?.length === CONTACTS.length + 1;
  };
  await eventually('the messages to come in', arrived, { timeoutMs: 30_000 });
  return String(apiKey);
}

async function writeIn(/** @type {{ simulatorUrl: string }} */ { simulatorUrl }, /** @type {object} */ message) {
  const answer = await fetch(`${simulatorUrl}/_control/inbound`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(message) });
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
}
