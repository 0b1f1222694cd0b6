import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { eraseContactV1, getMediaV1, newId, type UploadedFile } from '@switchboard/contracts';
import { eventually, silentLogger } from '@switchboard/testing';
import { KeptUploads } from '../src/sends/kept-uploads';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const QUOTA_MB = 1;
const DAY_MS = 24 * 3_600_000;

describe('files sent from the dashboard', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ env: { SENT_MEDIA_QUOTA_MB: String(QUOTA_MB) } });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(() => messaging.stop());

  const store = async (size = 1_000): Promise<UploadedFile> => {
    const content = randomBytes(size);
    const blobKey = `sent/${account.accountId}/${newId('med')}`;
    await messaging.blobs.put(blobKey, Readable.from([content]));
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { blobKey, mimeType: 'image/png', bytes: size, sha256, filename: 'receipt.png' };
  };
  const send = (upload: UploadedFile, id = newId('msg'), message = {}) =>
    messaging.send(account.accountId, { type: 'image', ...message }, id, { upload, keepsUpload: true });
  const idOf = ({ blobKey }: UploadedFile) => blobKey.split('/').at(-1) ?? '';
  const isStored = async ({ blobKey }: UploadedFile) => (await messaging.blobs.stat(blobKey)) !== undefined;
  const get = (file: UploadedFile, { accountId } = account) =>
    messaging.gateway.request(getMediaV1, { accountId, mediaId: idOf(file) });
  const contentOf = async (id: string) =>
    (await messaging.list(account.accountId)).messages.find((message) => message.id === id)?.content;

  it('are in the record of their message, for their account only', async () => {
    const file = await store();
    const id = newId('msg');
    const first = await send(file, id);
    expect(await contentOf(id)).toEqual({ id: idOf(file), mimeType: 'image/png', bytes: 1_000 });
    const { blobKey, bytes, mimeType, sha256 } = file;
    expect(await get(file)).toEqual({ blobKey, bytes, mimeType, sha256, filename: 'receipt.png' });
    await expect(get(file, await messaging.addAccount())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // A redelivered command deletes nothing.
    await expect(send(file, id)).resolves.toEqual(first);
    expect(await isStored(file)).toBe(true);
  });

  it('are deleted when the send is rejected', async () => {
    const file = await store();
    await expect(send(file, newId('msg'), { to: '919812340000' })).rejects.toMatchObject({ code: 'WINDOW_CLOSED' });
    expect(await isStored(file)).toBe(false);
  });

  it('make room for newer ones beyond the quota', async () => {
    const [old, middle, newest] = [await store(500_000), await store(400_000), await store(300_000)];
    const id = newId('msg');
    await send(old, id);
    await send(middle);
    await send(newest);
    await eventually(async () => expect(await isStored(old)).toBe(false));
    expect(await contentOf(id)).toEqual({ mimeType: 'image/png' });
    expect([await isStored(middle), await isStored(newest)]).toEqual([true, true]);
  });

  it('are erased with the contact', async () => {
    const file = await store();
    await send(file);
    const erase = { accountId: account.accountId, phone: CUSTOMER };
    expect(await messaging.gateway.request(eraseContactV1, { ...erase, dryRun: true })).toMatchObject({ media: 1 });
    expect(await messaging.gateway.request(eraseContactV1, { ...erase, dryRun: false })).toMatchObject({ media: 1 });
    expect(await isStored(file)).toBe(false);
    await expect(get(file)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are deleted by a sweep if a crash left them without a message', async () => {
    const [orphan, sent] = [await store(), await store()];
    await send(sent);
    const config = { SENT_MEDIA_QUOTA_MB: QUOTA_MB };
    const kept = new KeptUploads(messaging.dataSource, messaging.blobs, config, silentLogger);
    await kept.removeOrphans(new Date());
    expect(await isStored(orphan)).toBe(true);
    await kept.removeOrphans(new Date(Date.now() + DAY_MS + 1_000));
    expect([await isStored(orphan), await isStored(sent)]).toEqual([false, true]);
  });
});
