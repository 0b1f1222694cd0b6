// @ts-check
import { setTimeout as delay } from 'node:timers/promises';

/** @typedef {import('./compare-sends.mjs').Answer & import('./outage.mjs').Timed} LoadAnswer */

const CONCURRENCY = 6;
/** Frequency of reads: one in this many requests lists messages. */
const READ_EVERY = 4;
const PAUSE_MS = 25;
const PAUSE_AFTER_REFUSAL_MS = 150;
/** Timeout far above the guaranteed response time, so that a hanging request is reported as late and not as missing. */
const GIVE_UP_MS = 20_000;

/**
 * Sends and lists messages continuously. Each request is made once, without retries.
 * @param {{ baseUrl: string, apiKey: string, contacts: string[] }} target `apiKey`: key of a customer with open service
 * windows for the contacts
 */
export function startLoad({ baseUrl, apiKey, contacts }) {
  /** @type {LoadAnswer[]} */
  const answers = [];
  let running = true;
  let next = 0;
  const worker = async () => {
    while (running) {
      const n = next++;
      const answer = await timed(n % READ_EVERY === 0 ? 'read' : 'send', n, {
        baseUrl,
        apiKey,
        to: String(contacts[n % contacts.length]),
      });
      answers.push(answer);
      await delay(answer.status === 200 ? PAUSE_MS : PAUSE_AFTER_REFUSAL_MS);
    }
  };
  const workers = Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return {
    answers,
    async stop() {
      running = false;
      await workers;
    },
  };
}

/**
 * @param {'send' | 'read'} kind
 * @param {number} n
 * @param {{ baseUrl: string, apiKey: string, to: string }} target
 * @returns {Promise<LoadAnswer>}
 */
async function timed(kind, n, { baseUrl, apiKey, to }) {
  const startedAt = Date.now();
  const { status, id, upstreamId } = await request(kind, n, { baseUrl, apiKey, to }).catch(() => ({
    status: 0,
    id: undefined,
    upstreamId: undefined,
  }));
  return { n, kind, status, id, upstreamId, startedAt, durationMs: Date.now() - startedAt };
}

async function request(
  /** @type {'send' | 'read'} */ kind,
  /** @type {number} */ n,
  /** @type {{ baseUrl: string, apiKey: string, to: string }} */ { baseUrl, apiKey, to },
) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(GIVE_UP_MS);
  const body = JSON.stringify({ to, type: 'text', text: { body: `Message ${n}` }, clientRef: `away-${n}` });
  const answer = await (kind === 'read'
    ? fetch(`${baseUrl}/messages?limit=5`, { headers, signal })
    : fetch(`${baseUrl}/messages/send`, { method: 'POST', headers, body, signal }));
  const { id, message_id: upstreamId } = /** @type {{ id?: string, message_id?: string }} */ (await answer.json());
  return { status: answer.status, id, upstreamId };
}
