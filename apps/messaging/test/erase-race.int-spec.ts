import { type BlobStore, createBlobStore } from '@switchboard/blobs';
import { newId, type SendMessageCommand } from '@switchboard/contracts';
import { Transaction, Transactions } from '@switchboard/database';
import { SecretBox } from '@switchboard/platform';
import { eventually, silentLogger, TEST_ENCRYPTION_KEY } from '@switchboard/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import { findOrMakeContacts } from '../src/contacts/find-contacts';
import { INSERT_NOTE } from '../src/notes/notes.queries';
import { RateCards } from '../src/rates/rate-cards';
import { RatesService } from '../src/rates/rates.service';
import { KEEP_UPLOAD } from '../src/sends/kept-uploads.queries';
import { SendRepository } from '../src/sends/send.repository';
import { SpendLimiter } from '../src/spend/spend-limiter';
import { PartitionsService } from '../src/retention/partitions.service';
import { DELETE_CONTACT, LOCK_CONTACT } from '../src/retention/retention.queries';
import { RetentionService } from '../src/retention/retention.service';
import { createStore, type StoredAccount, type TestStore } from './support/store';

const ASHA = '919812345678';

describe('a contact erased during concurrent writes', () => {
  let store: TestStore;
  let folder: string;
  let retention: RetentionService;
  let rows: SendRepository;
  let account: StoredAccount;
  let contactId: string;
  let other: QueryRunner;

  beforeAll(async () => {
    store = await createStore();
    folder = await mkdtemp(join(tmpdir(), 'erase-'));
    const blobs: BlobStore = await createBlobStore({ BLOB_STORE: 'local', BLOB_DIR: folder });
    const transactions = new Transactions(store.dataSource);
    retention = new RetentionService(
      store.dataSource,
      transactions,
      new PartitionsService(transactions, silentLogger),
      blobs,
      silentLogger,
    );
    rows = new SendRepository(
      store.dataSource,
      new SecretBox({ ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }),
      transactions,
      new SpendLimiter(transactions, new RateCards(new RatesService(store.dataSource, transactions))),
    );
  });
  beforeEach(async () => {
    account = await store.addAccount();
    contactId = await store.addContact(account, ASHA);
    other = store.dataSource.createQueryRunner();
    await other.startTransaction();
  });
  afterEach(async () => {
    if (other.isTransactionActive) await other.rollbackTransaction();
    await other.release();
  });
  afterAll(async () => {
    await store.drop();
    await rm(folder, { recursive: true });
  });

  const sql = <T>(text: string, ...params: unknown[]): Promise<T[]> => store.dataSource.query(text, params);
  const eraseStep = () => retention.eraseStep({ accountId: account.accountId, phone: ASHA, dryRun: false });
  const waiting = (count: number) =>
    eventually(async () =>
      expect(
        (await sql("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
          .length,
      ).toBe(count),
    );
  const contacts = async () =>
    (await sql<{ id: string }>('SELECT id FROM contacts WHERE account_id = $1', account.accountId)).map(({ id }) => id);
  const withoutContact = () =>
    sql(
      'SELECT id FROM messages WHERE account_id = $1 AND contact_id NOT IN (SELECT id FROM contacts)',
      account.accountId,
    );
  const addMessage = (id: string) =>
    other.query(
      `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, state, received_at)
       VALUES ($1, $2, $3, $4, 'inbound', $5, '15550783881', 'text', 'received', now())`,
      [id, account.accountId, account.numberId, contactId, ASHA],
    );
  const begin = (messageId: string) => {
    const command: SendMessageCommand = {
      accountId: account.accountId,
      messageId,
      message: { to: ASHA, type: 'template' },
    };
    const send = { content: { name: 'order_update' }, caption: null, isMarketing: false, mediaId: null };
    return rows.begin(command, { ...send, answeredId: null });
  };
  async function eraseToTheEnd(): Promise<void> {
    for (let steps = 0; steps < 5; steps += 1) if ((await eraseStep()).done) return;
    throw new Error('it does not end');
  }

  it('loses a message that is being received', async () => {
    const [found] = await findOrMakeContacts(
      new Transaction((await other.connect()) as PoolClient, store.dataSource),
      account.accountId,
      [{ phone: ASHA, userId: null, name: null, username: null }],
    );
    expect(found).toBe(contactId);
    const step = eraseStep();
    await waiting(1);
    await addMessage(newId('msg'));
    await other.commitTransaction();
    expect(await step).toMatchObject({ messages: 0, done: false });
    expect(await contacts()).toEqual([contactId]);
    await eraseToTheEnd();
    expect([await contacts(), await withoutContact()]).toEqual([[], []]);
  });

  it('loses a note that is being stored', async () => {
    await other.query(INSERT_NOTE, [account.accountId, contactId, newId('note'), newId('usr'), 'Prefers calls']);
    const step = eraseStep();
    await waiting(1);
    await other.commitTransaction();
    expect(await step).toMatchObject({ messages: 0, done: true });
    expect(await sql('SELECT 1 FROM notes WHERE account_id = $1', account.accountId)).toEqual([]);
  });

  it('loses a file that a send is storing', async () => {
    const messageId = newId('msg');
    expect(await begin(messageId)).toMatchObject({ inserted: true });
    const file = newId('med');
    const values = [file, messageId, account.accountId, 'image/png', '', 7, null, `sent/${account.accountId}/${file}`];
    await other.query(KEEP_UPLOAD, values);
    const step = eraseStep();
    await waiting(1);
    await other.commitTransaction();
    await step;
    expect(await sql('SELECT id FROM media WHERE removed_at IS NOT NULL')).toEqual([{ id: file }]);
  });

  it('loses a message whose send is about to start', async () => {
    const messageId = newId('msg');
    // Blocks the send in the middle of its statement, after it found the contact.
    await addMessage(messageId);
    const begun = begin(messageId);
    await waiting(1);
    const step = eraseStep();
    await waiting(2);
    await other.rollbackTransaction();
    expect(await begun).toMatchObject({ refusal: null, inserted: true });
    expect(await step).toMatchObject({ done: false });
    await eraseToTheEnd();
    expect([await contacts(), await withoutContact()]).toEqual([[], []]);
  });

  it('is created again by writes at the end of the erasure', async () => {
    await other.query(LOCK_CONTACT, [account.accountId, contactId]);
    const begun = begin(newId('msg'));
    const found = new Transactions(store.dataSource).run((tx) =>
      findOrMakeContacts(tx, account.accountId, [{ phone: ASHA, userId: null, name: 'Asha', username: null }]),
    );
    await waiting(2);
    await other.query(DELETE_CONTACT, [account.accountId, contactId]);
    await other.commitTransaction();
    expect(await begun).toMatchObject({ refusal: null, inserted: true });
    const [made] = await found;
    expect(await contacts()).toEqual([made]);
    expect(made).not.toBe(contactId);
    expect(await withoutContact()).toEqual([]);
  });
});
