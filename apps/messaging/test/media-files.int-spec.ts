import { Readable } from 'node:stream';
import {
  deleteMediaFileV1,
  getMediaFileV1,
  getMediaV1,
  listMediaFilesV1,
  newId,
  type SendMessageRequest,
} from '@switchboard/contracts';
import { createBroker } from '@switchboard/broker';
import { eventually, silentLogger } from '@switchboard/testing';
import { JobsClient } from '@switchboard/service-clients';
import { MediaFilesSweep } from '../src/media-files/media-files-sweep';
import { addFile, sale } from './support/media-files';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('uploaded files', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let sweep: MediaFilesSweep;
  let stopSweep: () => Promise<void>;

  beforeAll(async () => {
    messaging = await startMessaging({ upstreamTimeoutMs: 4_000, env: { UPLOADED_MEDIA_QUOTA_MB: '1' } });
    const { RABBITMQ_URL: url = '', BROKER_NAMESPACE: namespace = '' } = messaging.environment;
    const broker = createBroker({ service: 'messaging', url, namespace, logger: silentLogger });
    await broker.connect();
    stopSweep = () => broker.close();
    const config = { UPLOADED_MEDIA_RETENTION_DAYS: 30 };
    sweep = new MediaFilesSweep(messaging.dataSource, messaging.blobs, new JobsClient(broker), config, silentLogger);
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    messaging.usedMedia.clear();
    messaging.templates.set(sale.name, sale);
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(async () => {
    await stopSweep();
    await messaging.stop();
  });

  const uploadsOfNumber = () =>
    messaging.upstream.uploads.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId);
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);
  const send = async (message: Partial<SendMessageRequest>): Promise<string> => {
    const id = newId('msg');
    await messaging.send(account.accountId, message, id);
    return id;
  };
  const get = (mediaId: string, accountId = account.accountId) =>
    messaging.gateway.request(getMediaFileV1, { accountId, mediaId });
  const age = (id: string, days: number) =>
    messaging.dataSource.query(
      `UPDATE media_files SET retained_from = now() - make_interval(days => $2), last_used_at = NULL WHERE id = $1`,
      [id, days],
    );
  const saleOf = (id: string): Partial<SendMessageRequest> => ({
    type: 'template',
    template: {
      name: sale.name,
      language: { code: 'en_US' },
      components: [{ type: 'header', parameters: [{ type: 'image', image: { id } }] }],
    },
  });

  it('are listed, read and deleted by their account only', async () => {
    const first = await addFile(messaging, account.accountId);
    const second = await addFile(messaging, account.accountId, { fileName: undefined });
    const { blobKey, ...shown } = first;
    expect(shown).toMatchObject({ type: 'image', mimeType: 'image/jpeg', bytes: 1_000, fileName: 'sale.jpg' });
    expect(new Date(shown.expiresAt).getTime() - new Date(shown.createdAt).getTime()).toBe(30 * 24 * 3_600_000);
    expect(await get(first.id)).toEqual(shown);
    const list = (page: object) =>
      messaging.gateway.request(listMediaFilesV1, { accountId: account.accountId, page: 1, limit: 1, ...page });
    const { media, nextCursor, total } = await list({});
    expect([media.map(({ id }) => id), total]).toEqual([[second.id], 2]);
    expect((await list({ cursor: nextCursor })).media.map(({ id }) => id)).toEqual([first.id]);
    const bytes = await messaging.gateway.request(getMediaV1, { accountId: account.accountId, mediaId: first.id });
    expect(bytes).toMatchObject({ blobKey, bytes: 1_000, filename: 'sale.jpg' });
    const other = await messaging.addAccount();
    const stranger = { accountId: other.accountId, mediaId: first.id };
    for (const asking of [
      messaging.gateway.request(getMediaFileV1, stranger),
      messaging.gateway.request(deleteMediaFileV1, stranger),
      messaging.gateway.request(getMediaV1, stranger),
    ])
      await expect(asking).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await messaging.gateway.request(deleteMediaFileV1, { accountId: account.accountId, mediaId: first.id });
    await expect(get(first.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await eventually(async () => expect(await messaging.blobs.stat(blobKey)).toBeUndefined());
  });

  it('are registered once per id', async () => {
    const first = await addFile(messaging, account.accountId);
    const again = await addFile(messaging, account.accountId, { mediaId: first.id });
    expect(again).toEqual({ ...first, expiresAt: again.expiresAt });
    expect(Date.parse(again.expiresAt)).toBeGreaterThan(Date.parse(first.expiresAt));
  });

  it('never exceed the quota, even when added concurrently', async () => {
    // Rows can be read but not inserted, so additions that do not wait for each other see the same total.
    const holder = messaging.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE media_files IN SHARE ROW EXCLUSIVE MODE');
    const adding = Array.from({ length: 5 }, () => addFile(messaging, account.accountId, { size: 300_000 }));
    await eventually(async () => {
      const waiting: unknown[] = await messaging.dataSource.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      expect(waiting.length).toBeGreaterThanOrEqual(2);
    });
    await holder.commitTransaction();
    await holder.release();
    const results = await Promise.allSettled(adding);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(addFile(messaging, account.accountId, { size: 300_000 })).rejects.toMatchObject({
      code: 'MEDIA_QUOTA_EXCEEDED',
      status: 403,
    });
  });

  it('are uploaded to the platform once and sent by id', async () => {
    const { id } = await addFile(messaging, account.accountId);
    const sent = [
      await send({ type: 'image', image: { id, caption: 'Here' } }),
      await send(saleOf(id)),
      await send({
        type: 'template',
        template: { name: sale.name, language: { code: 'en_US' }, variables: { 'header media': id } },
      }),
      await send({
        type: 'interactive',
        interactive: {
          type: 'cta_url',
          header: { type: 'image', image: { id } },
          body: { text: 'Look' },
          action: { name: 'cta_url', parameters: { displayText: 'Open', url: 'https://example.com/' } },
        },
      }),
    ];
    expect(uploadsOfNumber()).toMatchObject([{ name: 'sale.jpg', type: 'image/jpeg', bytes: 1_000 }]);
    const platformId = `media${messaging.upstream.uploads.length}`;
    const [image, template, byVariable, interactive] = sent.map((each) => sendsOf(each)[0]?.body);
    expect(image?.image).toEqual({ id: platformId, caption: 'Here' });
    const parameters = [{ type: 'image', image: { id: platformId } }];
    for (const body of [template, byVariable]) expect(body?.template).toMatchObject({ components: [{ parameters }] });
    expect(interactive?.['interactive']).toMatchObject({ header: { image: { id: platformId } } });
    const { messages } = await messaging.list(account.accountId, { direction: 'outbound' });
    expect(messages.find((message) => message.id === sent[0])).toMatchObject({ content: { id } });
    expect(await get(id)).toMatchObject({ lastUsedAt: expect.any(String) as string });
  });

  it('are sent as a voice message if they are Ogg with Opus', async () => {
    const opus = await addFile(messaging, account.accountId, { type: 'audio', mimeType: 'audio/ogg' });
    const id = await send({ type: 'audio', audio: { id: opus.id, voice: true } });
    expect(sendsOf(id)[0]?.body.audio).toEqual({ id: `media${messaging.upstream.uploads.length}`, voice: true });
    const mp3 = await addFile(messaging, account.accountId, { type: 'audio', mimeType: 'audio/mpeg' });
    await expect(send({ type: 'audio', audio: { id: mp3.id, voice: true } })).rejects.toMatchObject({
      code: 'UNSUPPORTED_MEDIA',
      message: expect.stringContaining('Ogg with Opus') as string,
      details: [{ field: 'audio.id' }],
    });
    const byLink = { link: 'https://example.com/a.ogg', voice: true };
    expect(sendsOf(await send({ type: 'audio', audio: byLink }))[0]?.body.audio).toEqual(byLink);
  });

  it('are rejected if unknown, deleted, inaccessible or of the wrong type', async () => {
    const other = await messaging.addAccount();
    const foreign = await addFile(messaging, other.accountId);
    const deleted = await addFile(messaging, account.accountId);
    await messaging.gateway.request(deleteMediaFileV1, { accountId: account.accountId, mediaId: deleted.id });
    for (const id of [newId('med'), foreign.id, deleted.id]) {
      await expect(send({ type: 'image', image: { id } })).rejects.toMatchObject({
        code: 'MEDIA_NOT_FOUND',
        status: 400,
        details: [{ field: 'image.id' }],
      });
      await expect(send(saleOf(id))).rejects.toMatchObject({
        code: 'MEDIA_NOT_FOUND',
        details: [{ field: 'template.components.0.parameters.0.image.id' }],
      });
    }
    const own = await addFile(messaging, account.accountId);
    await expect(send({ type: 'video', video: { id: own.id } })).rejects.toMatchObject({
      code: 'UNSUPPORTED_MEDIA',
      details: [{ field: 'video.id' }],
    });
    expect([
      uploadsOfNumber(),
      messaging.upstream.sends.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId),
    ]).toEqual([[], []]);
  });

  it('are uploaded again when the platform no longer knows them', async () => {
    const { id } = await addFile(messaging, account.accountId);
    await send({ type: 'image', image: { id } });
    messaging.upstream.forgetMedia();
    const sent = await send({ type: 'image', image: { id } });
    expect(uploadsOfNumber()).toHaveLength(2);
    expect(sendsOf(sent).map(({ body }) => body.image?.id)).toEqual([
      `media${messaging.upstream.uploads.length - 1}`,
      `media${messaging.upstream.uploads.length}`,
    ]);
  });

  it('are uploaded again after a status reports a media error', async () => {
    const [image, other] = [await addFile(messaging, account.accountId), await addFile(messaging, account.accountId)];
    const neighbour = await messaging.addAccount();
    const fail = async (id: string) => {
      const [message] = (await messaging.list(account.accountId, { direction: 'outbound' })).messages.filter(
        (each) => each.id === id,
      );
      const errors = [{ code: 131053, title: 'Media upload error' }];
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const status = { id: message?.upstreamId, status: 'failed', timestamp, errors };
      await messaging.callback(account.phoneNumberId, { statuses: [status] });
      await messaging.settled();
    };
    const age = () =>
      messaging.dataSource.query("UPDATE uploaded_media SET expires_at = now() + interval '28 days 22 hours'");
    const first = await send(saleOf(image.id));
    await send({ type: 'image', image: { id: other.id } });
    await age();
    await messaging.dataSource.query(
      `INSERT INTO uploaded_media SELECT $1, sha256, mime_type, 'theirs', expires_at FROM uploaded_media
       WHERE number_id = $2`,
      [neighbour.numberId, account.numberId],
    );
    await fail(first);
    const second = await send({ type: 'image', image: { id: image.id } });
    await send({ type: 'image', image: { id: other.id } });
    expect(uploadsOfNumber()).toHaveLength(3);
    // The upload is recent, so the file is invalid and not missing.
    await fail(second);
    await send({ type: 'image', image: { id: image.id } });
    expect(uploadsOfNumber()).toHaveLength(3);
    expect(
      await messaging.dataSource.query('SELECT 1 FROM uploaded_media WHERE number_id = $1', [neighbour.numberId]),
    ).toHaveLength(2);
  });

  it('are uploaded again after 29 days', async () => {
    const { id } = await addFile(messaging, account.accountId);
    await send({ type: 'image', image: { id } });
    await messaging.dataSource.query("UPDATE uploaded_media SET expires_at = now() - interval '1 second'");
    await send({ type: 'image', image: { id } });
    expect(uploadsOfNumber()).toHaveLength(2);
  });

  it('are uploaded once by concurrent sends', async () => {
    const { id } = await addFile(messaging, account.accountId);
    await Promise.all(Array.from({ length: 20 }, () => send({ type: 'image', image: { id } })));
    expect(uploadsOfNumber()).toHaveLength(1);
  });

  it('are uploaded after the lease of a dead process has passed', async () => {
    const { id } = await addFile(messaging, account.accountId);
    await messaging.dataSource.query(
      `INSERT INTO upload_leases (number_id, sha256, mime_type, owner, held_until)
       SELECT $1, sha256, mime_type, 'dead', now() + interval '1 second' FROM media_files WHERE id = $2`,
      [account.numberId, id],
    );
    await send({ type: 'image', image: { id } });
    expect(uploadsOfNumber()).toHaveLength(1);
    expect(await messaging.dataSource.query('SELECT owner FROM upload_leases')).toEqual([]);
  });

  it('are deleted 30 days after their last use, unless an unfinished job uses them', async () => {
    const [expired, used, fresh] = [
      await addFile(messaging, account.accountId),
      await addFile(messaging, account.accountId),
      await addFile(messaging, account.accountId),
    ];
    for (const { id } of [expired, used]) await age(id, 31);
    await age(fresh.id, 29);
    messaging.usedMedia.add(used.id);
    while (await sweep.expire());
    await expect(get(expired.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(new Date((await get(used.id)).expiresAt).getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3_600_000);
    expect(await get(fresh.id)).toMatchObject({ id: fresh.id });
    await eventually(async () => expect(await messaging.blobs.stat(expired.blobKey)).toBeUndefined());
    await age(fresh.id, 40);
    await send({ type: 'image', image: { id: fresh.id } });
    expect(await sweep.expire()).toBe(false);
    expect(await get(fresh.id)).toMatchObject({ id: fresh.id });
  });

  it('cannot be deleted while an unfinished job uses them', async () => {
    const { id } = await addFile(messaging, account.accountId);
    messaging.usedMedia.add(id);
    const command = { accountId: account.accountId, mediaId: id };
    await expect(messaging.gateway.request(deleteMediaFileV1, command)).rejects.toMatchObject({
      code: 'MEDIA_IN_USE',
      status: 409,
    });
    messaging.usedMedia.delete(id);
    expect(await messaging.gateway.request(deleteMediaFileV1, command)).toEqual({ id });
  });

  it('leave no bytes behind after a crash before the row is stored', async () => {
    const { blobKey } = await addFile(messaging, account.accountId);
    const orphan = `media/${account.accountId}/${newId('med')}`;
    await messaging.blobs.put(orphan, Readable.from([Buffer.from('orphan')]));
    await sweep.removeOrphans(new Date());
    expect(await messaging.blobs.stat(orphan)).toBeDefined();
    await sweep.removeOrphans(new Date(Date.now() + 25 * 3_600_000));
    expect([await messaging.blobs.stat(orphan), (await messaging.blobs.stat(blobKey))?.bytes]).toEqual([
      undefined,
      1_000,
    ]);
  });
});
