// @ts-check
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { TOTP } from 'otpauth';
import { withClient } from '../infra/postgres-login.mjs';
import { step } from '../lib/progress.mjs';
import { ensureSecrets } from '../lib/secrets.mjs';
import { eventually } from '../lib/wait.mjs';
import { chaosTest } from './chaos-test.mjs';
import { newCustomer, newOwner } from './customers.mjs';
import { dumpDatabase, findPlaintext } from './plaintext.mjs';
import { figures, problems, verdict } from './report.mjs';
import { findUnkeyed } from './unkeyed.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./customers.mjs').Customer} Customer */
/** @typedef {import('./unkeyed.mjs').Guess} Guess */

const SEND = '/messages/send/authentication/utility';
const VERIFY = '/otp/verify';

/**
 * Proves guarantees 16 and 34 of ADR 41: no secret is stored in plaintext or merely encoded, and no code can be
 * computed from stored data.
 */
export const secrets = chaosTest({
  about:
    'creates codes, keys, webhook secrets, tokens, a password and a second factor; searches database, broker and logs for plaintext, encodings and unkeyed hashes',
  takes: { long: '1 minute', short: '15 s' },
  long: { codes: 300 },
  short: { codes: 30 },
  async run(installation, { codes }) {
    const verifyToken = `verify-${randomBytes(12).toString('hex')}`;
    const receiver = await startReceiver(verifyToken);
    try {
      const customer = await step('account, template, credits', () => prepare(installation, codes));
      const endpoint = await step('webhook secrets', () =>
        plantWebhookSecrets(installation, customer, { url: receiver.url, verifyToken }),
      );
      const person = await step("a user's password and second factor", () => plantUser(installation, customer));
      const guesses = await step(`${codes} codes of six digits, ${codes} longer ones`, () =>
        plantCodes(installation, customer, codes),
      );
      const { accessToken, encryptionKey, otpPepper } = ensureSecrets();
      const long = guesses.filter(({ code }) => code.length > 6).map(({ code }) => code);
      const planted = [
        ...long,
        customer.apiKey,
        ...endpoint,
        ...person,
        verifyToken,
        accessToken,
        encryptionKey,
        otpPepper,
      ];
      const found = await step('look for them in clear and encoded', () => findPlaintext(installation, planted));
      const computed = await step('hash every code', async () =>
        findUnkeyed(await dumpDatabase(installation), guesses),
      );
      const isSharp = await step('the same with a hash that was planted', () => findsPlanted(installation, guesses[0]));
      figures({
        'secrets planted': planted.length,
        'in clear or encoded': found.hits,
        'looked in': found.places,
        'planted texts found': `${found.planted} of ${found.plants}`,
      });
      figures({
        'codes of six digits': codes,
        'found by their hash': computed.length,
        'planted hash found': String(isSharp),
      });
      problems({ 'computed from its hash': computed.map(({ path, code }) => `${path} ${code}`) });
      const isWhole = guesses.length === codes * 4 && found.planted === found.plants && isSharp;
      return verdict(
        isWhole && found.hits === 0 && computed.length === 0,
        'no secret in clear, and no code that its hash gives away',
      );
    } finally {
      receiver.close();
    }
  },
});

/** @returns {Promise<Customer>} */
async function prepare(/** @type {Installation} */ installation, /** @type {number} */ codes) {
  const customer = await newCustomer(installation, 'secrets', { credits: codes * 2 });
  const setTemplate = () =>
    installation.ops('otp', 'set', '--account', customer.accountId, '--template', 'verification_code').then(
      () => true,
      () => false,
    );
  await eventually('the template to be read', setTemplate, { timeoutMs: 180_000, everyMs: 500 });
  return customer;
}

/** @returns {Promise<{ url: string, close: () => void }>} */
async function startReceiver(/** @type {string} */ verifyToken) {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://receiver');
    const isKnown = request.method !== 'GET' || searchParams.get('hub.verify_token') === verifyToken;
    response.writeHead(isKnown ? 200 : 403).end(searchParams.get('hub.challenge') ?? '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/hook`, close: () => server.close() };
}

/** Creates an endpoint and rotates its secret. @returns {Promise<string[]>} */
async function plantWebhookSecrets(
  /** @type {Installation} */ { ops },
  /** @type {Customer} */ { accountId },
  /** @type {{ url: string, verifyToken: string }} */ { url, verifyToken },
) {
  const { endpointId, secret } = await ops(
    'webhooks',
    'set',
    '--account',
    accountId,
    '--url',
    url,
    '--verify-token',
    verifyToken,
  );
  const { secret: next } = await ops('webhooks', 'rotate', '--account', accountId, '--endpoint', endpointId);
  return [secret, next].flatMap((text) => [text, text.replace(/^whsec_/, '')]);
}

/**
 * Creates a user with a second factor: password, TOTP secret and recovery codes, with and without hyphens.
 * @returns {Promise<string[]>}
 */
async function plantUser(/** @type {Installation} */ installation, /** @type {Customer} */ { accountId }) {
  const { password, call } = await newOwner(installation, {
    accountId,
    email: `secrets-${randomBytes(6).toString('hex')}@example.com`,
  });
  const post = async (/** @type {string} */ path, /** @type {object} */ content) => {
    const { status, body } = await call('POST', path, content);
    if (status >= 400) throw new Error(`${path} answered ${status}`);
    return /** @type {{ secret: string, recoveryCodes: string[] }} */ (body);
  };
  const { secret } = await post('/me/second-factor', { password });
  const { recoveryCodes } = await post('/me/second-factor/confirm', { code: new TOTP({ secret }).generate() });
  return [password, secret, ...recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])];
}

/**
 * Sends and verifies codes, each request with an Idempotency-Key. Half of the codes have six digits, which an attacker
 * with a dump could enumerate. The other half are long, so that no other text contains them by chance.
 * @returns {Promise<Guess[]>} the requests that succeeded
 */
async function plantCodes(
  /** @type {Installation} */ installation,
  /** @type {Customer} */ { accountId, apiKey },
  /** @type {number} */ codes,
) {
  const short = Array.from({ length: codes }, () => String(randomInt(1_000_000)).padStart(6, '0'));
  const long = Array.from({ length: codes }, () => randomBytes(5).toString('hex'));
  /** @type {Guess[]} */
  const guesses = [];
  for (const [index, code] of [...short, ...long].entries()) {
    const phone = `9197${String(index).padStart(4, '0')}${randomInt(1_000, 9_999)}`;
    for (const [path, content] of /** @type {const} */ ([
      [SEND, { to: phone, otp: code, expiryMinutes: 60 }],
      [VERIFY, { phone, otp: code }],
    ])) {
      const body = JSON.stringify(content);
      const headers = {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': `${path}-${index}`,
      };
      const { ok } = await fetch(`${installation.baseUrl}${path}`, { method: 'POST', headers, body });
      if (ok) guesses.push({ code, phone, accountId, path: `/v1${path}`, body });
    }
  }
  return guesses;
}

/** Plants an unkeyed hash in the database. Returns true when the search finds it. */
async function findsPlanted(/** @type {Installation} */ installation, /** @type {Guess | undefined} */ guess) {
  if (!guess) return false;
  const target = createHash('sha256').update(`${guess.phone}:${guess.code}`).digest('hex');
  const insert = 'INSERT INTO gateway.audit_log (id, actor, action, target) VALUES ($1, $1, $1, $2)';
  await withClient(installation.databaseUrl, (client) => client.query(insert, [`aud_planted_${Date.now()}`, target]));
  return findUnkeyed(await dumpDatabase(installation), [guess]).length === 1;
}
