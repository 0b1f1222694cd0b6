import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { newId, type SendMessageRequest, type UploadedFile } from '@switchboard/contracts';
import { eventually, silentLogger } from '@switchboard/testing';
import { UploadCleanup } from '../src/sends/upload-cleanup';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('a message with an uploaded file', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(() => messaging.stop());

  const store = async (bytes: Buffer): Promise<UploadedFile> => {
    const blobKey = `uploads/${account.accountId}/${newId('med')}`;
    await messaging.blobs.put(blobKey, Readable.from([bytes]));
    return {
      blobKey,
      mimeType: 'image/png',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      filename: 'receipt.png',
    };
  };
  const send = (
    upload: UploadedFile,
    { id = newId('msg'), message = {} }: { id?: string; message?: Partial<SendMessageRequest> } = {},
  ) => messaging.send(account.accountId, { type: 'image', caption: 'Here', ...message }, id, { upload });
  const uploadsOfNumber = () =>
    messaging.upstream.uploads.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId);
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);
  const rowOf = async (id: string) =>
    (await messaging.dataSource.query('SELECT * FROM messages WHERE id = $1', [id]))[0];

  it('uploads the file, sends its id and deletes the blob', async () => {
    const file = await store(randomBytes(200_000));
    const id = newId('msg');
    await send(file, { id });
    expect(uploadsOfNumber()).toEqual([
      { phoneNumberId: account.phoneNumberId, name: 'receipt.png', type: 'image/png', bytes: 200_000 },
    ]);
    const mediaId = `media${messaging.upstream.uploads.length}`;
    expect(sendsOf(id)).toMatchObject([
      { body: { to: `+${CUSTOMER}`, type: 'image', image: { id: mediaId, caption: 'Here' } } },
    ]);
    expect(await rowOf(id)).toMatchObject({
      state: 'accepted',
      caption: 'Here',
      media_id: mediaId,
      content: { mimeType: 'image/png' },
      upload: { bytes: 200_000, sha256: file.sha256 },
    });
    expect(await messaging.blobs.stat(file.blobKey)).toBeUndefined();
  });

  it('uploads equal bytes once per number while upstream keeps them', async () => {
    const bytes = randomBytes(1_000);
    await send(await store(bytes));
    await send(await store(bytes));
    expect(uploadsOfNumber()).toHaveLength(1);
    await messaging.dataSource.query("UPDATE uploaded_media SET expires_at = now() - interval '1 second'");
    await send(await store(bytes));
    expect(uploadsOfNumber()).toHaveLength(2);
  });

  it('uploads again when upstream no longer knows the id', async () => {
    const bytes = randomBytes(1_000);
    await send(await store(bytes));
    messaging.upstream.forgetMedia();
    const id = newId('msg');
    await send(await store(bytes), { id });
    expect(uploadsOfNumber()).toHaveLength(2);
    // The first call was rejected. The second one has the new id.
    expect(sendsOf(id).map(({ body }) => body.image?.id)).toEqual([
      `media${messaging.upstream.uploads.length - 1}`,
      `media${messaging.upstream.uploads.length}`,
    ]);
    expect(await rowOf(id)).toMatchObject({ state: 'accepted', media_id: `media${messaging.upstream.uploads.length}` });
  });

  it('stores nothing when upstream rejects the file', async () => {
    const file = await store(randomBytes(1_000));
    const id = newId('msg');
    messaging.upstream.behave({ refuseWith: 100 });
    await expect(send(file, { id })).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA' });
    expect([await rowOf(id), sendsOf(id), await messaging.blobs.stat(file.blobKey)]).toEqual([
      undefined,
      [],
      undefined,
    ]);
    for (const [behaviour, code, status] of [
      [{ refuseWith: 130429 }, 'UPSTREAM_THROTTLED', 429],
      [{ refuseWith: 2, status: 503 }, 'UPSTREAM_ERROR', 502],
    ] as const) {
      messaging.upstream.behave(behaviour);
      await expect(send(await store(randomBytes(1_000)))).rejects.toMatchObject({ code, status });
    }
  });

  it('deletes the file when the send is rejected', async () => {
    const file = await store(randomBytes(1_000));
    await expect(send(file, { message: { to: '919812340000' } })).rejects.toMatchObject({ code: 'WINDOW_CLOSED' });
    expect(await messaging.blobs.stat(file.blobKey)).toBeUndefined();
  });

  it('stops the number when its credentials are rejected', async () => {
    messaging.upstream.behave({ refuseWith: 190, status: 401 });
    await expect(send(await store(randomBytes(1_000)))).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    const [number] = await messaging.dataSource.query('SELECT stopped_reason FROM numbers WHERE id = $1', [
      account.numberId,
    ]);
    expect(number).toMatchObject({ stopped_reason: '190 Access token expired or invalid' });
    const { length } = messaging.upstream.uploads;
    const file = await store(randomBytes(1_000));
    await expect(send(file)).rejects.toMatchObject({ code: 'NUMBER_STOPPED' });
    expect(messaging.upstream.uploads).toHaveLength(length);
    expect(await messaging.blobs.stat(file.blobKey)).toBeUndefined();
  });

  it('returns the stored result when the command is redelivered', async () => {
    const file = await store(randomBytes(1_000));
    const id = newId('msg');
    const first = await send(file, { id });
    await expect(send(file, { id })).resolves.toEqual(first);
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('deletes files left by crashed processes', async () => {
    const file = await store(randomBytes(1_000));
    const cleanup = new UploadCleanup(messaging.dataSource, messaging.blobs, silentLogger);
    await cleanup.deleteOrphans(new Date());
    expect(await messaging.blobs.stat(file.blobKey)).toBeDefined();
    await cleanup.deleteOrphans(new Date(Date.now() + 25 * 3_600_000));
    await eventually(async () => expect(await messaging.blobs.stat(file.blobKey)).toBeUndefined());
  });
});
