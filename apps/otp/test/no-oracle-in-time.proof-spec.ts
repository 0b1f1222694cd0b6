import { newId } from '@switchboard/contracts';
import { type CodeOwner, hmacOfCode } from '../src/codes/code-hmac';
import { CodesService } from '../src/codes/codes.service';
import { PEPPER, type RunningOtp, startOtp } from './support/start-otp';

const ROUNDS = 500;
const WARM_UP_ROUNDS = 50;
/** Half of the difference that a path slower by 1 ms would show. */
const BOUND_MS = 0.5;
const MOST_TRIES = 3;
const CODE = '482913';

let otp: RunningOtp;
let codes: CodesService;
beforeAll(async () => {
  otp = await startOtp();
  codes = otp.service.app.get(CodesService);
}, 120_000);
afterAll(() => otp.stop(), 120_000);

interface Stored {
  code: string;
  expiresInSeconds: number;
}

/** Stored state of the phone. Consuming a code keeps the row but removes the code. */
const KINDS: Record<string, Stored | 'a row without a code' | undefined> = {
  wrong: { code: '999999', expiresInSeconds: 600 },
  expired: { code: CODE, expiresInSeconds: -1 },
  spent: 'a row without a code',
  'never sent': undefined,
};
const names = Object.keys(KINDS);

/** Creates one phone per attempt, because failures lock a phone. */
async function ownersOf(kind: string, count: number): Promise<CodeOwner[]> {
  const accountId = newId('acc');
  const owners = Array.from({ length: count }, (_unused, index) => ({
    accountId,
    phone: String(919_800_000_000 + index),
  }));
  const stored = KINDS[kind];
  if (stored === undefined) return owners;
  const { code, expiresInSeconds } = typeof stored === 'object' ? stored : { code: CODE, expiresInSeconds: 600 };
  await otp.dataSource.query(
    `INSERT INTO codes (account_id, phone, issued)
     SELECT $1, phone, CASE WHEN $5 THEN '{}' ELSE ARRAY[ROW('msg_stored', hmac,
       now() + make_interval(secs => $4))::issued_code] END
     FROM unnest($2::text[], $3::bytea[]) AS given (phone, hmac)`,
    [
      accountId,
      owners.map(({ phone }) => phone),
      owners.map((owner) => hmacOfCode(code, owner, PEPPER)),
      expiresInSeconds,
      typeof stored === 'string',
    ],
  );
  return owners;
}

async function timeOf(owner: CodeOwner): Promise<number> {
  const startedAt = performance.now();
  const outcome = await codes.spendCode(owner, { id: newId('otp'), code: CODE }).catch((error: unknown) => error);
  const tookMs = performance.now() - startedAt;
  expect(outcome).toMatchObject({ code: 'OTP_INVALID' });
  return tookMs;
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;

/** Returns the difference in milliseconds between the slowest and the fastest kind, by median duration. */
async function measure(): Promise<number> {
  const owners = new Map<string, CodeOwner[]>();
  for (const kind of names) owners.set(kind, await ownersOf(kind, ROUNDS + WARM_UP_ROUNDS));
  const times = new Map(names.map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round += 1) {
    // Balanced order: every kind follows every other kind equally often, so that machine noise affects all of them
    // alike.
    const turn = names.map(
      (_kind, index) => names[(index * (round % 2 === 0 ? 1 : 3) + round) % names.length] as string,
    );
    for (const kind of turn) {
      const tookMs = await timeOf(owners.get(kind)?.[round] as CodeOwner);
      if (round >= WARM_UP_ROUNDS) times.get(kind)?.push(tookMs);
    }
  }
  const medians = Object.fromEntries(names.map((kind) => [kind, median(times.get(kind) ?? [])]));
  const apart = Math.max(...Object.values(medians)) - Math.min(...Object.values(medians));
  const shown = names.map((kind) => `${kind} ${medians[kind]?.toFixed(3)}`).join(', ');
  process.stdout.write(`medians of ${ROUNDS} refusals in ms: ${shown}; ${apart.toFixed(3)} apart\n`);
  return apart;
}

it('rejects wrong, expired, consumed and unsent codes in equal time', async () => {
  // An exploitable difference appears in every try; noise on a busy machine does not.
  let apart = await measure();
  for (let tries = 1; tries < MOST_TRIES && apart >= BOUND_MS; tries += 1) apart = await measure();
  expect(apart).toBeLessThan(BOUND_MS);
}, 180_000);
