// @ts-check
import pg from 'pg';
import { homePath } from '../lib/home.mjs';
import { readJson } from '../lib/json-file.mjs';
import { eventually } from '../lib/wait.mjs';

/** @typedef {import('../lib/installation.mjs').Demo} Demo */
/** @typedef {Record<string, any>} Json */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Number of days with statistics. The overview compares 14 days with the 14 days before. */
const DAYS = 27;
/**
 * Slot above those of the database connections, so that its rows cannot exist yet (libs/database/src/hourly-totals.ts).
 */
const SLOT = 16;
/** Share of the recipients by country. */
const COUNTRIES = { IN: 0.6, BR: 0.2, GB: 0.1, DE: 0.1 };
/** Names of templates by category. @type {Record<string, string>} */
const TEMPLATES = { utility: 'order_update', marketing: 'summer_sale', authentication: 'sign_in_code' };
/** Adds deliveries to a day's usage. Today's usage already includes the delivered sample messages. */
const ADD_USAGE = `
  INSERT INTO messaging.usage_days AS known (account_id, day, category, type, billable, country, template, job_id, delivered)
  VALUES ($1, $2, $3, 'regular', 'true', $4, $5, '', $6)
  ON CONFLICT (account_id, day, category, type, billable, country, template, job_id)
  DO UPDATE SET delivered = known.delivered + EXCLUDED.delivered`;
const WITHIN = { timeoutMs: 20_000 };
const ORDER = { name: 'order_update', language: { code: 'en_US' } };
const orderVariables = (/** @type {string} */ order, /** @type {string} */ day) => ({
  template: { ...ORDER, variables: { 1: order, 2: day, 'button 1': `track/${order}` } },
  type: 'template',
});
const text = (/** @type {string} */ body) => ({ type: 'text', text: { body } });
const WHEN = {
  type: 'interactive',
  interactive: {
    type: 'button',
    body: { text: 'Sorry that you missed us. When shall we come again?' },
    action: {
      buttons: [
        { type: 'reply', reply: { id: 'today', title: 'Today, 6 to 8 pm' } },
        { type: 'reply', reply: { id: 'tomorrow', title: 'Tomorrow morning' } },
      ],
    },
  },
};
/**
 * Conversations, newest last. A step is an inbound message, an outbound message or a pressed button.
 * @type {{ phone: string, name: string, steps: ({ from: Json } | { send: Json } | { press: string })[] }[]}
 */
const CONVERSATIONS = [
  {
    phone: '5511987650001',
    name: 'Mateo Silva',
    steps: [{ send: orderVariables('B-204', 'Tuesday') }, { from: text('Obrigado!') }],
  },
  {
    phone: '4915112340002',
    name: 'Jonas Weber',
    steps: [{ from: text('Do you ship to Austria?') }, { send: text('Yes, in two to three days.') }],
  },
  {
    phone: '919812340003',
    name: 'Priya Nair',
    steps: [{ send: orderVariables('A-18', 'Friday') }, { from: text('Can I pay on delivery?') }],
  },
  {
    phone: '447700900004',
    name: 'Tom Okafor',
    steps: [{ from: { type: 'image' } }, { send: text('Thank you for the picture. A new pot is on its way.') }],
  },
  {
    phone: '34600000005',
    name: 'Lucía Romero',
    steps: [{ send: orderVariables('A-21', 'Monday') }, { from: text('Perfect, thanks') }],
  },
  {
    phone: '919812340006',
    name: 'Asha Rao',
    steps: [
      { send: orderVariables('A-17', 'Monday') },
      { from: text('Nobody was at home, can you come again?') },
      { send: WHEN },
      { press: 'tomorrow' },
      { send: text('Done: tomorrow between 9 and 12. The driver calls ten minutes before.') },
      { from: text('Great, thank you!') },
    ],
  },
];

/**
 * Fills the demo account with conversations, a webhook endpoint and four weeks of statistics for screenshots. Does
 * nothing when repeated.
 * @param {Demo} demo
 * @param {(method: string, path: string, data?: object) => Promise<Json>} console_ calls the console API as an owner
 */
export async function addSampleTraffic(demo, console_) {
  const newest = String(CONVERSATIONS.at(-1)?.phone);
  const { messages } = await api(demo, `/messages?phone=${newest}&limit=1`);
  if (messages.length > 0) return;
  await console_('POST', '/webhook-endpoints', { url: `${demo.simulatorUrl}/receiver`, verifyToken: 'my-token' });
  for (const conversation of CONVERSATIONS) await talk(demo, conversation);
  await addStatistics(demo.accountId);
}

/**
 * @param {Demo} demo
 * @param {typeof CONVERSATIONS[number]} conversation
 */
async function talk(demo, { phone, name, steps }) {
  const control = (/** @type {string} */ path, /** @type {Json} */ body) =>
    request(`${demo.simulatorUrl}/_control/${path}`, { method: 'POST', body: JSON.stringify(body) });
  let lastSent = '';
  for (const step of steps) {
    if ('send' in step) {
      const sent = await api(demo, '/messages/send', {
        method: 'POST',
        body: JSON.stringify({ to: phone, ...step.send }),
      });
      lastSent = sent['message_id'];
      const isRead = async () => (await api(demo, `/messages/${lastSent}`))['message'].status === 'read';
      await eventually('the message to be read', isRead, WITHIN);
      continue;
    }
    const { messageId } = await ('press' in step
      ? control('press', { messageId: lastSent, id: step.press })
      : control('inbound', { from: phone, to: demo.phoneNumber, name, ...step.from }));
    const arrived = async () => {
      const { messages } = await api(demo, `/messages?phone=${phone}&direction=inbound&limit=5`);
      return JSON.stringify(messages).includes(messageId);
    };
    await eventually('the message to arrive', arrived, WITHIN);
  }
}

/**
 * Writes four weeks of totals and of usage directly to the database, because the API cannot create past messages.
 */
async function addStatistics(/** @type {string} */ accountId) {
  const database = new pg.Client(readJson(homePath('infra.json')).postgres.url);
  await database.connect();
  try {
    const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    for (let day = 0; day <= DAYS; day += 1) {
      const hour = new Date(thisHour - day * DAY_MS);
      const isWeekend = [0, 6].includes(hour.getUTCDay());
      // Combine weekly growth with a wave, for less regular numbers.
      const sent = Math.round((isWeekend ? 420 : 1_150) * (1.25 - day / 90) * (1 + 0.12 * Math.sin(day * 2.1)));
      const failed = Math.round(sent * (day === 5 ? 0.03 : 0.008));
      const read = Math.round(sent * 0.71);
      const received = Math.round(sent * 0.24);
      const delivered = sent - failed - read;
      for (const [state, total] of Object.entries({ read, delivered, failed, received }))
        await database.query(
          `INSERT INTO messaging.message_hours (account_id, hour, state, slot, total) VALUES ($1, $2, $3, ${SLOT}, $4)`,
          [accountId, hour, state, total],
        );
      await database.query(
        `INSERT INTO webhooks.delivery_hours (account_id, hour, state, slot, total) VALUES ($1, $2, 'delivered', ${SLOT}, $3)`,
        [accountId, hour, sent * 2 + received],
      );
      for (const [category, share] of Object.entries({ utility: 0.55, marketing: 0.3, authentication: 0.1 })) {
        const total = Math.round(sent * share);
        await database.query(
          `INSERT INTO messaging.price_hours (account_id, hour, category, type, billable, slot, total)
           VALUES ($1, $2, $3, 'regular', 'true', ${SLOT}, $4)`,
          [accountId, hour, category, total],
        );
        for (const [country, part] of Object.entries(COUNTRIES))
          await database.query(ADD_USAGE, [
            accountId,
            hour.toISOString().slice(0, 10),
            category,
            country,
            TEMPLATES[category],
            Math.round(total * part),
          ]);
      }
    }
  } finally {
    await database.end();
  }
}

/** Calls the API with the demo account's key. */
function api(/** @type {Demo} */ demo, /** @type {string} */ path, /** @type {RequestInit} */ options = {}) {
  const headers = { authorization: `Bearer ${demo.apiKey}` };
  return request(`${demo.baseUrl}${path}`, { ...options, headers });
}

/** @returns {Promise<Json>} */
async function request(/** @type {string} */ url, /** @type {RequestInit} */ options) {
  const headers = { ...(options.body ? { 'content-type': 'application/json' } : {}), ...options.headers };
  const response = await fetch(url, { ...options, headers });
  const body = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${body}`);
  return JSON.parse(body);
}
