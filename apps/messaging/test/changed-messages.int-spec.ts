import { fetchMediaV1, getMediaV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { eventually } from '@switchboard/testing';
import { ChangesService } from '../src/callbacks/changes.service';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';
import { writeJson } from './support/upstream';

let changes = 0;
const changeId = (): string => `wamid.CHANGE${(changes += 1)}`;
const unix = (ageSeconds: number): string => String(Math.floor(Date.now() / 1_000) - ageSeconds);

const editOf = (
  original: { id: string; from: string },
  { text = 'Hello again', ageSeconds = 0, id = changeId(), message = undefined as object | undefined } = {},
) => ({
  from: original.from,
  id,
  timestamp: unix(ageSeconds),
  type: 'edit',
  edit: { original_message_id: original.id, message: message ?? { type: 'text', text: { body: text } } },
});
const deletionOf = (original: { id: string; from: string }, id = changeId()) => ({
  from: original.from,
  id,
  timestamp: unix(0),
  type: 'revoke',
  revoke: { original_message_id: original.id },
});

describe('messages edited or deleted by contacts', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const receive = (...messages: object[]) => messaging.callback(account.phoneNumberId, { messages });
  const arrive = async (...messages: object[]): Promise<void> => {
    await receive(...messages);
    await messaging.settled();
  };
  const record = async (upstreamId: string) => (await messaging.list(account.accountId, { upstreamId })).messages[0];
  const editsOf = (upstreamId: string) => messaging.edits.filter((edit) => edit.upstreamId === upstreamId);
  const deletionsOf = (upstreamId: string) => messaging.deletions.filter((each) => each.upstreamId === upstreamId);
  const eventsOf = (upstreamId: string) => messaging.inboundEvents.filter((each) => each.upstreamId === upstreamId);
  const columns = async (table: string, condition: string, ...params: unknown[]): Promise<object[]> =>
    messaging.dataSource.query(`SELECT * FROM ${table} WHERE ${condition}`, params);

  it('show the new text and edit time, with one event', async () => {
    const original = inboundText({ ageSeconds: 60, text: 'Helo' });
    await arrive(original);
    const edit = editOf(original);
    await Promise.all([receive(edit), receive(edit, edit), receive(edit)]);
    await messaging.settled();
    await eventually(() => expect(editsOf(original.id).length).toBe(1));
    const at = new Date(Number(edit.timestamp) * 1_000).toISOString();
    const shown = await record(original.id);
    expect(shown).toMatchObject({ type: 'text', content: { body: 'Hello again' }, editedAt: at, deletedAt: null });
    expect(editsOf(original.id)).toMatchObject([
      { accountId: account.accountId, id: shown?.id, type: 'text', content: { body: 'Hello again' }, timestamp: at },
    ]);
    // The edit is not stored as a separate message.
    expect((await messaging.list(account.accountId)).total).toBe(1);
    expect(await columns('conversations', 'account_id = $1', account.accountId)).toMatchObject([
      { message_count: 1, unread_count: 1 },
    ]);
  });

  it('lose their text everywhere when deleted', async () => {
    const original = { ...inboundText({ ageSeconds: 60, text: 'hush-7' }), context: { id: 'wamid.OUT' } };
    await arrive(original, editOf(original, { text: 'hush-8', ageSeconds: 30 }));
    const deletion = deletionOf(original);
    await Promise.all([receive(deletion), receive(deletion)]);
    await messaging.settled();
    await eventually(() => expect(deletionsOf(original.id).length).toBe(1));
    const shown = await record(original.id);
    expect(shown).toMatchObject({
      type: 'text',
      content: null,
      caption: null,
      deletedAt: expect.any(String) as string,
    });
    expect(deletionsOf(original.id)).toMatchObject([{ id: shown?.id, from: original.from }]);
    const stored = JSON.stringify([
      await columns('messages', 'account_id = $1', account.accountId),
      await columns('message_changes', 'account_id = $1', account.accountId),
    ]);
    expect(stored).not.toContain('hush');
    expect(stored).not.toContain('wamid.OUT');
  });

  it('stay deleted after a late edit', async () => {
    const original = inboundText({ ageSeconds: 60 });
    await arrive(original);
    await arrive(deletionOf(original));
    await arrive(editOf(original, { text: 'hush-9' }), editOf(original, { text: 'hush-9', ageSeconds: -60 }));
    expect(await record(original.id)).toMatchObject({ content: null, editedAt: null });
    expect(editsOf(original.id)).toEqual([]);
    expect(JSON.stringify(await columns('message_changes', 'account_id = $1', account.accountId))).not.toContain(
      'hush',
    );
  });

  it('show the last edit regardless of arrival order', async () => {
    const original = inboundText({ ageSeconds: 60 });
    await arrive(original);
    const [first, second] = [
      editOf(original, { text: 'first', ageSeconds: 30 }),
      editOf(original, { text: 'second', ageSeconds: 10 }),
    ];
    await arrive(second);
    await arrive(first);
    await arrive(second, first);
    expect(await record(original.id)).toMatchObject({ content: { body: 'second' } });
    await eventually(() => expect(editsOf(original.id)).toMatchObject([{ content: { body: 'second' } }]));
    // Within the same second, the later report wins. Repeating the earlier one changes nothing.
    const third = editOf(original, { text: 'third', ageSeconds: 5 });
    const fourth = { ...editOf(original, { text: 'fourth' }), timestamp: third.timestamp };
    await arrive(third);
    await arrive(fourth);
    await arrive(third);
    expect(await record(original.id)).toMatchObject({ content: { body: 'fourth' } });
    await eventually(() => expect(editsOf(original.id).length).toBe(3));
    expect(editsOf(original.id).map(({ content }) => content)).toEqual(
      ['second', 'third', 'fourth'].map((body) => ({ body })),
    );
  });

  it('have the new text when they arrive after their edit', async () => {
    const original = inboundText({ ageSeconds: 60, text: 'Helo' });
    await arrive(editOf(original));
    await eventually(() =>
      expect(editsOf(original.id)).toMatchObject([{ id: null, content: { body: 'Hello again' } }]),
    );
    expect((await messaging.list(account.accountId)).total).toBe(0);
    await arrive(original);
    expect(await record(original.id)).toMatchObject({
      content: { body: 'Hello again' },
      editedAt: expect.any(String) as string,
    });
    await eventually(() => expect(eventsOf(original.id)).toMatchObject([{ content: { body: 'Hello again' } }]));
    expect(editsOf(original.id)).toHaveLength(1);
  });

  it('have no text when they arrive after their deletion', async () => {
    const original = inboundText({ ageSeconds: 60, text: 'hush-10' });
    await arrive(deletionOf(original));
    await arrive(original);
    expect(await record(original.id)).toMatchObject({ content: null, deletedAt: expect.any(String) as string });
    await eventually(() => expect(deletionsOf(original.id).length).toBe(1));
    expect(eventsOf(original.id)).toEqual([]);
    expect(JSON.stringify(await columns('messages', 'account_id = $1', account.accountId))).not.toContain('hush');
  });

  it('apply a change that arrives concurrently', async () => {
    const pairs = Array.from({ length: 30 }, (_, index) => {
      const original = inboundText({ from: `91980000${1_000 + index}`, ageSeconds: 60 });
      return { original, change: index % 2 === 0 ? editOf(original) : deletionOf(original) };
    });
    await Promise.all(pairs.flatMap(({ original, change }) => [receive(original), receive(change)]));
    await messaging.settled();
    for (const { original, change } of pairs)
      expect(await record(original.id)).toMatchObject(
        change.type === 'edit' ? { content: { body: 'Hello again' } } : { content: null },
      );
  });

  it('can be changed only by their author in their account', async () => {
    const other = await messaging.addAccount();
    const original = inboundText({ text: 'Mine' });
    await arrive(original);
    await receive(
      deletionOf({ id: original.id, from: '919811111111' }),
      editOf({ id: original.id, from: '919811111111' }),
    );
    await messaging.callback(other.phoneNumberId, { messages: [deletionOf(original), editOf(original)] });
    await messaging.settled();
    expect(await record(original.id)).toMatchObject({ content: { body: 'Mine' }, editedAt: null, deletedAt: null });
    await eventually(() => expect(deletionsOf(original.id).length).toBe(2));
    expect(deletionsOf(original.id).map(({ id }) => id)).toEqual([null, null]);
  });

  it('open no service window', async () => {
    const from = '919800000021';
    const original = inboundText({ from, ageSeconds: 25 * 3_600 });
    await arrive(original, editOf(original), deletionOf(original));
    await expect(messaging.send(account.accountId, { to: from, text: { body: 'Hello' } })).rejects.toMatchObject({
      code: 'WINDOW_CLOSED',
    });
  });

  it('keep their file when the caption changes', async () => {
    const image = { id: '9001', mime_type: 'image/jpeg', caption: 'Taj' };
    const original = { ...inboundText({ ageSeconds: 60 }), type: 'image', image };
    await arrive(original);
    const message = {
      type: 'image',
      image: { ...image, id: '9002', url: 'https://x.example.com', caption: 'Taj Mahal' },
    };
    await arrive(editOf(original, { message }));
    const shown = await record(original.id);
    expect(shown).toMatchObject({ type: 'image', caption: 'Taj Mahal', content: { caption: 'Taj Mahal' } });
    expect(shown?.content).toMatchObject({ id: (eventsOf(original.id)[0]?.content as { id: string }).id });
    await eventually(() => expect(editsOf(original.id)).toMatchObject([{ content: shown?.content }]));
    expect(JSON.stringify(editsOf(original.id))).not.toContain('9002');
  });

  it('lose their files when deleted, even during a download', async () => {
    const bytes = Buffer.from('the bytes of a picture');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const serve = (id: string, before: Promise<void>): void => {
      messaging.upstream.serve(`/v24.0/${id}`, (_request, response) =>
        writeJson(response, 200, {
          url: `${messaging.upstream.url}/bytes/${id}`,
          mime_type: 'image/jpeg',
          file_size: bytes.length,
          id,
        }),
      );
      messaging.upstream.serve(`/bytes/${id}`, (_request, response) => {
        void before.then(() => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes));
      });
    };
    serve('9101', Promise.resolve());
    serve('9102', held);
    const images = ['9101', '9102'].map((id) => ({
      ...inboundText({ ageSeconds: 60 }),
      type: 'image',
      image: { id, mime_type: 'image/jpeg' },
    }));
    await arrive(...images);
    const media = (await columns('media', 'account_id = $1 ORDER BY upstream_media_id', account.accountId)) as {
      id: string;
      blob_key: string;
    }[];
    const [stored, coming] = media as [(typeof media)[0], (typeof media)[0]];
    const { accountId } = account;
    await messaging.gateway.request(getMediaV1, { accountId, mediaId: stored.id });
    await messaging.gateway.enqueue(fetchMediaV1, { accountId, mediaId: coming.id });
    await arrive(...images.map((image) => deletionOf(image)));
    for (const { id } of media)
      await expect(messaging.gateway.request(getMediaV1, { accountId, mediaId: id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    release();
    await eventually(async () => expect(await columns('media', 'account_id = $1', accountId)).toEqual([]), {
      timeoutMs: 20_000,
    });
    for (const { blob_key: key } of media)
      await eventually(async () =>
        expect(
          await messaging.blobs.get(key).then(
            () => 'there',
            () => 'gone',
          ),
        ).toBe('gone'),
      );
  }, 40_000);

  it('count as an opt-out even if deleted', async () => {
    const [edits, deletes] = ['919800000031', '919800000032'];
    const [first, second] = [
      inboundText({ from: edits, ageSeconds: 60 }),
      inboundText({ from: deletes, text: 'STOP' }),
    ];
    await arrive(first, editOf(first, { text: 'STOP' }), deletionOf(second), second);
    await arrive(second);
    expect(await columns('contacts', 'account_id = $1 AND opted_out ORDER BY phone', account.accountId)).toMatchObject([
      { phone: edits },
      { phone: deletes },
    ]);
  });

  it('retain their change records for two weeks', async () => {
    const original = inboundText();
    await arrive(original, editOf(original));
    await messaging.dataSource.query(
      "UPDATE message_changes SET received_at = now() - interval '15 days' WHERE account_id = $1",
      [account.accountId],
    );
    await new ChangesService(messaging.dataSource, new Transactions(messaging.dataSource)).forgetOld();
    expect(await columns('message_changes', 'account_id = $1', account.accountId)).toEqual([]);
    expect(await record(original.id)).toMatchObject({ content: { body: 'Hello again' } });
  });

  it('ignore changes without a message id', async () => {
    const original = inboundText();
    await arrive(
      original,
      { ...editOf(original), edit: {} },
      { ...editOf(original), edit: { original_message_id: original.id } },
      { ...deletionOf(original), revoke: null },
      { ...deletionOf(original), id: undefined },
      { ...deletionOf(original), from: undefined },
    );
    expect(await record(original.id)).toMatchObject({ content: { body: 'Hello' }, editedAt: null, deletedAt: null });
  });
});
