import {
  createEndpointV1,
  newId,
  rotateSecretV1,
  webhooksCountSecretsV1,
  webhooksResealSecretsV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { inTransit, SecretBox } from '@switchboard/platform';
import {
  acceptingChallenge,
  checkingSignatures,
  eventually,
  type Receiver,
  sealFirstVersion,
  startReceiver,
  TEST_ENCRYPTION_KEY,
} from '@switchboard/testing';
import { secretPlace, verifyTokenPlace } from '../src/secrets/secret-places';
import { Harness, testBox, VERIFY_TOKEN } from './harness';

const OLD_KEY = TEST_ENCRYPTION_KEY;
const NEW_KEY = Buffer.alloc(32, 8).toString('base64');
const newBox = new SecretBox({ ENCRYPTION_KEY: NEW_KEY });

describe('encryption key replacement', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start({ ENCRYPTION_KEY: OLD_KEY });
    receiver = await startReceiver();
  }, 120_000);
  afterAll(async () => {
    await harness.stop();
    await receiver.close();
  }, 120_000);

  const restart = async (keys: { ENCRYPTION_KEY: string; ENCRYPTION_KEY_PREVIOUS?: string }) => {
    await harness.stopService();
    await harness.startService(keys);
  };
  const sql = <Row>(text: string, ...params: unknown[]) => query<Row>(harness.database.dataSource, text, params);
  const count = async () => {
    const { columns } = await harness.others.request(webhooksCountSecretsV1, {});
    return Object.fromEntries(
      columns.map(({ column, ...counts }) => [column.replace('endpoints.sealed_', ''), Object.values(counts)]),
    );
  };
  const resealAll = async (limit = 2) => {
    const done = { resealed: 0, unreadable: [] as string[] };
    for (const column of ['verify_token', 'secret', 'next_secret']) {
      for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
        const step = await harness.others.request(webhooksResealSecretsV1, {
          column: `endpoints.sealed_${column}`,
          after,
          limit,
        });
        done.resealed += step.resealed;
        done.unreadable.push(...step.unreadable);
        after = step.next;
      }
    }
    return done;
  };

  it('keeps old, rotating and first-version secrets', async () => {
    const accountId = newId('acc');
    const { secret } = await harness.account(receiver);
    const endpoints = await Promise.all([1, 2, 3].map(() => harness.endpoint(accountId, receiver)));
    const [first, second] = endpoints as [{ id: string; secret: string }, { id: string; secret: string }];
    await sql(
      'UPDATE endpoints SET sealed_secret = $2, sealed_verify_token = $3 WHERE id = $1',
      first.id,
      sealFirstVersion(first.secret),
      sealFirstVersion(VERIFY_TOKEN),
    );
    const rotated = await harness.others.request(rotateSecretV1, { accountId, endpointId: second.id });
    const next = testBox.open(rotated.sealedSecret, inTransit(rotateSecretV1, 'sealedSecret', accountId));
    expect(await count()).toEqual({ verify_token: [3, 0, 1, 0], secret: [3, 0, 1, 0], next_secret: [1, 0, 0, 0] });

    // Every process must be able to decrypt values of the new key before any process writes them.
    await restart({ ENCRYPTION_KEY: OLD_KEY, ENCRYPTION_KEY_PREVIOUS: NEW_KEY });
    const early = newBox.seal(VERIFY_TOKEN, inTransit(createEndpointV1, 'sealedVerifyToken', accountId));
    receiver.respondWith(acceptingChallenge(VERIFY_TOKEN));
    await harness.others.request(createEndpointV1, {
      accountId,
      url: `${receiver.url}/early`,
      sealedVerifyToken: early,
    });

    await restart({ ENCRYPTION_KEY: NEW_KEY, ENCRYPTION_KEY_PREVIOUS: OLD_KEY });
    expect(await count()).toEqual({ verify_token: [0, 4, 1, 0], secret: [0, 4, 1, 0], next_secret: [0, 1, 0, 0] });
    const oneStep = await harness.others.request(webhooksResealSecretsV1, {
      column: 'endpoints.sealed_secret',
      limit: 1,
    });
    expect(oneStep).toMatchObject({ resealed: 1, unreadable: [] }); // Simulates a killed command.
    expect(await resealAll()).toEqual({ resealed: 10, unreadable: [] });
    expect(await resealAll()).toEqual({ resealed: 0, unreadable: [] });
    expect(await count()).toEqual({ verify_token: [5, 0, 0, 0], secret: [5, 0, 0, 0], next_secret: [1, 0, 0, 0] });

    await restart({ ENCRYPTION_KEY: NEW_KEY });
    const rows = await sql<{
      id: string;
      sealed_secret: string;
      sealed_next_secret: string | null;
      sealed_verify_token: string;
    }>('SELECT * FROM endpoints WHERE account_id = $1', accountId);
    const opened = new Map(rows.map(({ id, sealed_secret: sealed }) => [id, newBox.open(sealed, secretPlace(id))]));
    expect(endpoints.map(({ id }) => opened.get(id))).toEqual(endpoints.map((endpoint) => endpoint.secret));
    for (const row of rows) expect(newBox.open(row.sealed_verify_token, verifyTokenPlace(row.id))).toBe(VERIFY_TOKEN);
    expect(newBox.open(rows.find(({ id }) => id === second.id)?.sealed_next_secret ?? '', secretPlace(second.id))).toBe(
      next,
    );
    expect(secret).toMatch(/^whsec_/);
  }, 120_000);

  it('signs with a re-encrypted secret', async () => {
    await restart({ ENCRYPTION_KEY: OLD_KEY });
    const { accountId, secret } = await harness.account(receiver);
    await restart({ ENCRYPTION_KEY: NEW_KEY, ENCRYPTION_KEY_PREVIOUS: OLD_KEY });
    await resealAll();
    await restart({ ENCRYPTION_KEY: NEW_KEY });
    const check = checkingSignatures('service', () => [secret]);
    receiver.respondWith(check.respond);
    await harness.report(accountId);
    await eventually(async () => expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered' }]));
    expect(check).toMatchObject({ accepted: 1, rejected: 0 });
  }, 120_000);

  it('skips an undecryptable or copied value and reports its row', async () => {
    await restart({ ENCRYPTION_KEY: NEW_KEY, ENCRYPTION_KEY_PREVIOUS: OLD_KEY });
    const [theirs, ours] = [newId('ep'), newId('ep')].sort() as [string, string];
    const insert =
      'INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by) VALUES ($1, $2, $3, $4, $5, $1)';
    const stranger = new SecretBox({ ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') });
    await sql(insert, theirs, newId('acc'), 'https://example.com', '', stranger.seal('x', secretPlace(theirs)));
    await sql(insert, ours, newId('acc'), 'https://example.com', '', testBox.seal('x', secretPlace(theirs)));
    const before = await sql('SELECT id, sealed_secret FROM endpoints WHERE id = ANY ($1) ORDER BY id', [theirs, ours]);
    const { resealed, unreadable } = await resealAll(1_000);
    expect([resealed, unreadable]).toEqual([0, [theirs, ours]]);
    expect(
      await sql('SELECT id, sealed_secret FROM endpoints WHERE id = ANY ($1) ORDER BY id', [theirs, ours]),
    ).toEqual(before);
    await expect(
      harness.others.request(webhooksResealSecretsV1, { column: 'endpoints.url', limit: 1 }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }, 120_000);
});
