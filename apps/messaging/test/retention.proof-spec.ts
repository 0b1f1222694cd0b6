import { type BlobStore, createBlobStore } from '@switchboard/blobs';
import { canonicalPhone, newId } from '@switchboard/contracts';
import { silentLogger } from '@switchboard/testing';
import { Transactions } from '@switchboard/database';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PartitionsService } from '../src/retention/partitions.service';
import { RetentionService } from '../src/retention/retention.service';
import { createStore, minutesAgo, type StoredAccount, type TestStore } from './support/store';

const ASHA = '919812345678';
const BO = '4915112345678';
const DAY = 1_440;

describe('retention and erasure', () => {
  let store: TestStore;
  let folder: string;
  let blobs: BlobStore;
  let retention: RetentionService;
  let account: StoredAccount;

  beforeAll(async () => {
    store = await createStore();
    folder = await mkdtemp(join(tmpdir(), 'retention-'));
    blobs = await createBlobStore({ BLOB_STORE: 'local', BLOB_DIR: folder } as Parameters<typeof createBlobStore>[0]);
    const transactions = new Transactions(store.dataSource);
    retention = new RetentionService(
      store.dataSource,
      transactions,
      new PartitionsService(transactions, silentLogger),
      blobs,
      silentLogger,
    );
  });
  beforeEach(async () => {
    account = await store.addAccount();
  });
  afterAll(async () => {
    await store.drop();
    await rm(folder, { recursive: true });
  });

  const sql = <T>(text: string, ...params: unknown[]): Promise<T[]> => store.dataSource.query(text, params);
  const keep = (days: { messages?: number; media?: number }, { accountId } = account) =>
    sql(
      'INSERT INTO account_settings (account_id, message_days, media_days) VALUES ($1, $2, $3)',
      accountId,
      days.messages ?? null,
      days.media ?? null,
    );
  const remaining = async (table = 'messages', { accountId } = account) =>
    (await sql<{ id: string }>(`SELECT id FROM ${table} WHERE account_id = $1 ORDER BY id`, accountId)).map(
      ({ id }) => id,
    );

  async function addMedia(messageId: string, at: Date): Promise<string> {
    const id = newId('med');
    const blobKey = `inbound/${account.accountId}/${id}`;
    await blobs.put(
      blobKey,
      (async function* () {
        yield Buffer.from('a picture');
      })(),
    );
    const insert = `INSERT INTO media (id, account_id, message_id, number_id, upstream_media_id, mime_type, blob_key, state) VALUES ($1, $2, $3, $4, '1', 'image/jpeg', $5, 'stored')`;
    const aged = at.getTime() < Date.now() - 60_000 ? `med_01h455vb4pex5vsknk084sn${id.slice(-3)}` : id; // Uses an id from 2023.
    await sql(insert, aged, account.accountId, messageId, account.numberId, blobKey);
    return blobKey;
  }

  it('delete expired messages with files, conversations and totals', async () => {
    const [old = '', , young = ''] = await store.addMessages(account, [
      { with: ASHA, at: minutesAgo(31 * DAY), direction: 'inbound', type: 'image' },
      { with: BO, at: minutesAgo(31 * DAY) },
      { with: ASHA, at: minutesAgo(29 * DAY), direction: 'inbound', type: 'image' },
    ]);
    const [gone, kept] = [await addMedia(old, new Date()), await addMedia(young, new Date())];
    const other = await store.addAccount();
    await store.addMessages(other, [{ with: ASHA, at: minutesAgo(31 * DAY) }]);
    await keep({ messages: 30 });
    expect(await retention.runStep({ dryRun: true })).toEqual({ messages: 2, media: 1, droppedMonths: [], done: true });
    expect(await remaining()).toHaveLength(3);
    expect(await retention.runStep({ dryRun: false })).toMatchObject({ messages: 2, media: 1, done: true });
    expect(await remaining()).toEqual([young]);
    expect(await remaining('media')).toHaveLength(1);
    expect([await blobs.stat(gone), (await blobs.stat(kept))?.key]).toEqual([undefined, kept]);
    expect(await store.totals(account)).toEqual({ contacts: 2, conversations: 1, inbound: 1, outbound: 0 });
    expect(await remaining('messages', other)).toHaveLength(1);
    expect(await retention.runStep({ dryRun: false })).toMatchObject({ messages: 0, media: 0, done: true });
  });

  it('delete large amounts in steps', async () => {
    for (let part = 0; part < 6; part += 1) {
      await store.addMessages(
        account,
        Array.from({ length: 1_000 }, (_unused, index) => ({
          with: `9198000${String(index).padStart(5, '0')}`,
          at: minutesAgo(10 * DAY),
        })),
      );
    }
    await keep({ messages: 5 });
    const first = await retention.runStep({ accountId: account.accountId, dryRun: false });
    const second = await retention.runStep({ accountId: account.accountId, dryRun: false });
    expect([first.done, second.done, first.messages + second.messages]).toEqual([false, true, 6_000]);
    expect(await store.totals(account)).toEqual({ contacts: 1_000, conversations: 0, outbound: 0 });
  }, 60_000);

  it('retain media for fewer days than messages', async () => {
    const [id = ''] = await store.addMessages(account, [{ with: ASHA, direction: 'inbound', type: 'image' }]);
    const [old, young] = [await addMedia(id, minutesAgo(3 * DAY)), await addMedia(id, new Date())];
    await keep({ media: 1 });
    expect(await retention.runStep({ accountId: account.accountId, dryRun: true })).toMatchObject({
      messages: 0,
      media: 1,
    });
    expect(await retention.runStep({ accountId: account.accountId, dryRun: false })).toMatchObject({
      messages: 0,
      media: 1,
      done: true,
    });
    expect([await blobs.stat(old), (await blobs.stat(young))?.key]).toEqual([undefined, young]);
    expect(await remaining()).toEqual([id]);
  });

  it('erase one contact with all of its data', async () => {
    const ids = await store.addMessages(account, [
      { with: ASHA, direction: 'inbound', type: 'image' },
      { with: ASHA, state: 'unknown' },
      { with: BO, direction: 'inbound' },
    ]);
    const blob = await addMedia(ids[0] ?? '', new Date());
    const other = await store.addAccount();
    await store.addMessages(other, [{ with: ASHA, direction: 'inbound' }]);
    const erase = (dryRun: boolean, phone = ASHA) =>
      retention.eraseStep({ accountId: account.accountId, phone, dryRun });
    expect(await erase(true)).toEqual({ messages: 1, media: 1, done: true, knownAs: [ASHA] });
    const steps = [await erase(false), await erase(false)];
    expect(steps).toEqual([
      { messages: 1, media: 1, done: false },
      { messages: 1, media: 0, done: true },
    ]);
    await expect(erase(false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await remaining()).toEqual([ids[2]]);
    expect(await blobs.stat(blob)).toBeUndefined();
    expect(await sql('SELECT phone FROM contacts WHERE account_id = $1', account.accountId)).toEqual([{ phone: BO }]);
    expect(await sql('SELECT contact_id FROM service_windows WHERE account_id = $1', account.accountId)).toHaveLength(
      1,
    );
    expect(await store.totals(account)).toEqual({ contacts: 1, conversations: 1, inbound: 1 });
    expect(await remaining('messages', other)).toHaveLength(1);
  });

  it('return all identifiers of an erased contact', async () => {
    const [now, before] = ['5511987654321', '15550001111'];
    await store.addMessages(account, [{ with: before, direction: 'inbound' }, { with: before }]);
    await sql(
      "UPDATE contacts SET phone = $2, phone_key = $3, user_id = 'BR.7' WHERE account_id = $1",
      account.accountId,
      now,
      canonicalPhone(now),
    );
    const reply = await retention.eraseStep({ accountId: account.accountId, phone: '551187654321', dryRun: true });
    expect(reply.messages).toBe(2);
    expect(reply.knownAs?.toSorted()).toEqual(['BR.7', before, '551187654321', now].toSorted());
    expect(new Set(reply.knownAs?.map(canonicalPhone)).size).toBe(3);
  });
});
