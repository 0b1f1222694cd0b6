import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@switchboard/testing';
import { newAccount, newBusiness, type TestAccount } from './support/account';
import { withDatabase } from './support/database';
import { done } from './support/installation';
import { control, writeInAny } from './support/simulator';
import { approved, createTemplate } from './support/templates';

const SEED = 20_261_128;
const JOBS = 100;
const TOLERANCE = 0.01;
const AD = { source_type: 'ad', source_id: '1202', source_url: 'https://fb.me/x', headline: 'Sale' };
const ratesFile = join(tmpdir(), `estimate-rates-${process.pid}.csv`);
/** Rates by market, in the order of `CATEGORIES`. Chile has no rates. */
const CATEGORIES = ['marketing', 'utility', 'service'];
const RATES: Record<string, readonly number[]> = {
  India: [0.0118, 0.0015, 0.0015],
  Germany: [0.1365, 0.055, 0.055],
  Brazil: [0.0625, 0.0068, 0.0068],
  'North America': [0.025, 0.0034, 0.0034],
};
const COUNTRIES = [
  { country: 'IN', prefix: '9198' },
  { country: 'DE', prefix: '49151' },
  { country: 'BR', prefix: '551198' },
  { country: 'US', prefix: '1212' },
  { country: 'CL', prefix: '569' },
] as const;
const DIGITS: Record<string, number> = { IN: 8, DE: 8, BR: 7, US: 7, CL: 8 };

/** Returns a seeded pseudorandom number generator (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Person {
  phone: string;
  /** How the job lists the person: the phone number or the user id. */
  to: string;
  state: 'stranger' | 'window' | 'ad' | 'opted-out';
}

interface Estimated {
  jobId: string;
  lowest: number;
  highest: number;
  messages: number;
}

describe('estimates of 100 generated jobs', () => {
  let account: TestAccount;
  const templates: Record<'MARKETING' | 'UTILITY', string> = { MARKETING: '', UTILITY: '' };
  const next = random(SEED);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;

  beforeAll(async () => {
    // Uses up the allowance, both here and at the platform.
    await control('POST', '/pricing', { freeServiceMessages: 0 });
    const wabaId = await newBusiness();
    account = await newAccount('Estimates', { wabaId });
    await withDatabase((client) =>
      client.query(
        `INSERT INTO messaging.usage_days VALUES ($1, now() AT TIME ZONE 'UTC', 'service', 'free_customer_service', 'false', 'IN', '', '', 1000)`,
        [account.accountId],
      ),
    );
    for (const category of ['MARKETING', 'UTILITY'] as const)
      templates[category] = (
        await createTemplate([{ type: 'BODY', text: 'Good morning.' }], { category, wabaId })
      ).name;
    await approved(account, Object.values(templates));
    const lines = Object.entries(RATES).flatMap(([market, amounts]) =>
      amounts.map((amount, index) => `${market},${CATEGORIES[index]},USD,${amount},2026-01-01,estimates`),
    );
    await writeFile(ratesFile, ['market,category,currency,amount,validFrom,source', ...lines, ''].join('\n'));
    await done('rates', 'import', ratesFile, '--replace');
  }, 240_000);
  afterAll(async () => {
    await control('POST', '/pricing', {});
    await rm(ratesFile, { force: true });
  });

  function newPerson(): Person {
    const { country, prefix } = pick(COUNTRIES);
    const digits = DIGITS[country] ?? 8;
    const phone = prefix + String(2 + Math.floor(next() * 7)) + String(next()).slice(2, 1 + digits);
    const to = next() < 0.2 && country !== 'BR' ? `${country}.1${phone.padStart(19, '0')}` : phone;
    const chance = next();
    const state = chance < 0.55 ? 'stranger' : chance < 0.8 ? 'window' : chance < 0.9 ? 'ad' : 'opted-out';
    return { phone, to, state };
  }

  async function write({ phone, state }: Person): Promise<void> {
    if (state === 'stranger') return;
    await writeInAny({
      from: phone,
      to: account.phoneNumber,
      type: 'text',
      text: { body: state === 'opted-out' ? 'STOP' : 'Hello' },
      ...(state === 'ad' && { referral: AD }),
    });
  }

  it('are within 1 % of the settled amounts', async () => {
    const jobs = Array.from({ length: JOBS }, () => ({
      people: Array.from({ length: 2 + Math.floor(next() * 6) }, newPerson),
      kind: pick(['MARKETING', 'UTILITY', 'UTILITY', 'text'] as const),
    }));
    const people = jobs.flatMap((job) => job.people);
    const writers = people.filter(({ state }) => state !== 'stranger');
    for (let from = 0; from < writers.length; from += 10) await Promise.all(writers.slice(from, from + 10).map(write));
    await eventually(
      async () => {
        const { rows } = await withDatabase((client) =>
          client.query<{ windows: number; refusals: number }>(
            `SELECT (SELECT count(*)::int FROM messaging.service_windows WHERE account_id = $1) AS windows,
               (SELECT count(*)::int FROM messaging.contacts WHERE account_id = $1 AND opted_out) AS refusals`,
            [account.accountId],
          ),
        );
        expect(rows[0]).toEqual({
          windows: new Set(writers.map(({ phone }) => phone)).size,
          refusals: new Set(writers.filter(({ state }) => state === 'opted-out').map(({ phone }) => phone)).size,
        });
      },
      { timeoutMs: 60_000 },
    );
    const estimated: Estimated[] = [];
    for (const { people: of, kind } of jobs) {
      const content =
        kind === 'text'
          ? { type: 'text' as const, text: { body: 'Hello' } }
          : { type: 'template' as const, template: { name: templates[kind], language: { code: 'en_US' } } };
      const request = { recipients: [...of.map(({ to }) => to), '12', of[0]?.to ?? ''], ...content };
      const { price, messages } = await account.api.sendBulk({ ...request, dryRun: true });
      const { jobId } = await account.api.sendBulk(request);
      estimated.push({ jobId, messages, lowest: Number(price.lowest), highest: Number(price.highest) });
    }
    const messages = estimated.reduce((sum, each) => sum + each.messages, 0);
    const settled = await eventually(
      async () => {
        const { groups } = await account.api.getUsage({ by: 'job' });
        const ours = groups.filter(({ name }) => name !== null && name !== '');
        expect(ours.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(messages);
        return new Map(ours.map(({ name, amount }) => [name, Number(amount ?? 0)]));
      },
      { timeoutMs: 90_000 },
    );
    const totalOf = (key: 'lowest' | 'highest'): number => estimated.reduce((sum, each) => sum + each[key], 0);
    const reported = [...settled.values()].reduce((sum, amount) => sum + amount, 0);
    const within = estimated.filter(({ jobId, lowest, highest }) => {
      const amount = settled.get(jobId) ?? 0;
      return amount >= lowest - 1e-9 && amount <= highest + 1e-9;
    });
    process.stdout.write(
      `${JOBS} jobs with ${people.length} people (seed ${SEED}): ${messages} messages, estimate ${totalOf('lowest').toFixed(4)}–${totalOf('highest').toFixed(4)} USD, settled ${reported.toFixed(4)} USD; ${within.length} jobs within their range\n`,
    );
    expect(reported).toBeGreaterThan(0);
    expect(reported).toBeGreaterThanOrEqual(totalOf('lowest') * (1 - TOLERANCE));
    expect(reported).toBeLessThanOrEqual(totalOf('highest') * (1 + TOLERANCE));
    expect(within).toHaveLength(JOBS);
    const records = await eventually(
      async () => {
        const { jobs: found } = await account.api.listJobs({ limit: JOBS });
        expect(found.filter(({ status, reported }) => status !== 'completed' || reported?.open !== 0)).toHaveLength(0);
        return new Map(found.map((job) => [job.jobId, job]));
      },
      { timeoutMs: 60_000 },
    );
    const agreeing = estimated.filter((dry) => {
      const { estimate, reported } = records.get(dry.jobId) ?? {};
      // Without any rate, or any message, there is nothing to compare.
      if (!estimate) return dry.highest === 0;
      const amount = Number(reported?.amount ?? 0);
      return (
        Number(estimate.lowest) === dry.lowest &&
        Number(estimate.highest) === dry.highest &&
        estimate.messages === reported?.messages &&
        amount >= dry.lowest - 1e-9 &&
        amount <= dry.highest + 1e-9
      );
    });
    process.stdout.write(`${agreeing.length} jobs have a stored estimate that matches the reported charges\n`);
    expect(agreeing).toHaveLength(JOBS);
  }, 240_000);
});
