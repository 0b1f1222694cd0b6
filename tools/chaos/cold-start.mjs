// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { signal } from '../lib/processes.mjs';
import { step } from '../lib/progress.mjs';
import { SERVICES } from '../lib/services.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { newCustomer, newPhones, openWindows } from './customers.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ name: string, begin(): Promise<void>, end(): Promise<void>, ready: readonly string[] }} Absence */

/** Time within which a starting program must respond to `/live`, including the time to load the bundle. */
const LIVE_LIMIT_MS = 20_000;
/** Guaranteed time until everything works again. */
const RECOVERY_LIMIT_MS = 15_000;
const LOOK_EVERY_MS = 250;

/**
 * Proves guarantee 33 of ADR 41. Options: seconds for which a dependency is unavailable while the services start;
 * `each`: test every dependency separately, or only the broker and then all together.
 */
export const coldStart = chaosTest({
  about:
    'starts all services while the database, the broker, the platform or all three are unavailable; checks /live, /ready and recovery',
  takes: { long: '6 minutes', short: '45 s' },
  long: { seconds: 60, each: 1 },
  short: { seconds: 1, each: 0 },
  async run(installation, { seconds, each }) {
    const customer = await step('account, number, open windows', () => newCustomer(installation, 'cold-start'));
    const contacts = newPhones(1);
    await openWindows(installation, customer, contacts);
    const send = () => sendOne(installation, { apiKey: customer.apiKey, to: String(contacts[0]) });
    const outcomes = [];
    const absences = absencesIn(installation).filter(({ name }) => each || ['broker', 'everything'].includes(name));
    for (const absence of absences)
      outcomes.push(
        await step(`${absence.name} away for ${seconds} s`, () =>
          startWithout(installation, { absence, seconds, send }),
        ),
      );
    return report(outcomes);
  },
});

/** @returns {Absence[]} `ready`: services that may be ready despite the absence */
function absencesIn(/** @type {Installation} */ { broker, database, pids }) {
  const simulator = () => pids()['simulator'] ?? 0;
  const parts = {
    database: { begin: () => database.stop(), end: () => database.start(), ready: [] },
    broker: { begin: () => broker.stop(), end: () => broker.start(), ready: ['gateway'] },
    platform: {
      begin: async () => signal(simulator(), 'SIGSTOP'),
      end: async () => signal(simulator(), 'SIGCONT'),
      ready: SERVICES,
    },
  };
  const all = Object.values(parts);
  return [
    ...Object.entries(parts).map(([name, part]) => ({ name, ...part })),
    {
      name: 'everything',
      begin: async () => void (await Promise.all(all.map(({ begin }) => begin()))),
      end: async () => void (await Promise.all(all.map(({ end }) => end()))),
      ready: [],
    },
  ];
}

/**
 * @param {Installation} installation
 * @param {{ absence: Absence, seconds: number, send: () => Promise<number> }} options
 */
async function startWithout(installation, { absence, seconds, send }) {
  const { name, begin, end, ready } = absence;
  const problemsSeen = new Set();
  await begin();
  let liveMs = 0;
  try {
    const before = installation.pids();
    await Promise.all(SERVICES.map((service) => installation.kill9(service)));
    const started = Date.now();
    const isLive = (/** @type {string} */ service) => () => installation.isLive(service);
    await Promise.all(
      SERVICES.map((service) =>
        eventually(`${service} to answer /live`, isLive(service), { timeoutMs: LIVE_LIMIT_MS, everyMs: LOOK_EVERY_MS }),
      ),
    );
    liveMs = Date.now() - started;
    if (SERVICES.some((service) => before[service] === installation.pids()[service]))
      problemsSeen.add('no new process');
    const until = Date.now() + seconds * 1_000;
    while (Date.now() < until) {
      await Promise.all(
        SERVICES.map(async (service) => {
          const [live, takesWork] = await Promise.all([installation.isLive(service), installation.takesWork(service)]);
          if (!live) problemsSeen.add(`${service} stopped being live`);
          if (takesWork && !ready.includes(service)) problemsSeen.add(`${service} said it was ready`);
        }),
      );
      await delay(Math.min(LOOK_EVERY_MS, Math.max(0, until - Date.now())));
    }
  } finally {
    await end();
  }
  const back = Date.now();
  const isUp = (/** @type {string} */ service) => () => installation.isReady(service);
  const waiting = { timeoutMs: RECOVERY_LIMIT_MS * 4, everyMs: LOOK_EVERY_MS };
  await Promise.all(SERVICES.map((service) => eventually(`${service} to be ready`, isUp(service), waiting)));
  await eventually('a send to be taken', async () => (await send()) === 200, waiting);
  return { name, liveMs, recoveryMs: Date.now() - back, problems: [...problemsSeen] };
}

/** @returns {Promise<number>} the status; 0 without a response */
async function sendOne(
  /** @type {Installation} */ { baseUrl },
  /** @type {{ apiKey: string, to: string }} */ { apiKey, to },
) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ to, type: 'text', text: { body: 'Up again' } });
  return fetch(`${baseUrl}/messages/send`, { method: 'POST', headers, body }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );
}

function report(/** @type {Awaited<ReturnType<typeof startWithout>>[]} */ outcomes) {
  for (const { name, liveMs, recoveryMs } of outcomes)
    figures({ [`${name} away`]: `all live after ${liveMs} ms; a send was taken ${recoveryMs} ms after its return` });
  const broken = outcomes.flatMap(({ name, recoveryMs, problems: found }) => [
    ...found.map((problem) => `${name} away: ${problem}`),
    ...(recoveryMs > RECOVERY_LIMIT_MS ? [`${name} away: all worked ${recoveryMs} ms after its return`] : []),
  ]);
  problems({ problem: broken });
  return verdict(broken.length === 0, 'services that start during an outage wait, and come up when it is over');
}
