import { fetchMediaV1, getMediaV1, newId } from '@switchboard/contracts';
import { counter } from '@switchboard/platform';
import { eventually } from '@switchboard/testing';
import { createHash } from 'node:crypto';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';
import { errorBody, writeJson } from './support/upstream';

const BYTES = Buffer.from('\u00ff\u00d8 the bytes of a picture');
const SHA = createHash('sha256').update(BYTES);
const HEX = SHA.copy().digest('hex');
const BASE64 = SHA.copy().digest('base64');

const attempts = counter('messaging_media_total', '', { outcome: [] });

interface MediaState {
  id: string;
  state: string;
  attempts: number;
  error: string | null;
  wait: number;
}

describe('received media', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;
  let upstreamIds = 1_000;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  interface Offer {
    object?: object;
    /** Status of the n-th download. The bytes are sent if it is absent. */
    status?(download: number): number;
    bytes?: Buffer;
    /** Runs before the bytes are sent. */
    before?: () => Promise<unknown>;
  }

  /**
   * Adds a media object upstream.
   * @returns its id and the number of its downloads
   */
  const offer = ({
    object = {},
    status = () => 200,
    bytes = BYTES,
    before = () => Promise.resolve(),
  }: Offer = {}): { id: string; downloads: () => number } => {
    const id = String((upstreamIds += 1));
    let downloads = 0;
    messaging.upstream.serve(`/v24.0/${id}`, (_request, response) =>
      writeJson(response, 200, {
        url: `${messaging.upstream.url}/bytes/${id}`,
        mime_type: 'image/jpeg',
        sha256: BASE64,
        file_size: bytes.length,
        id,
        ...object,
      }),
    );
    messaging.upstream.serve(`/bytes/${id}`, (_request, response) => {
      downloads += 1;
      const number = downloads;
      void before().then(() => response.writeHead(status(number), { 'content-type': 'image/jpeg' }).end(bytes));
    });
    return { id, downloads: () => downloads };
  };
  const receive = async (upstreamId: string, more: object = {}): Promise<string> => {
    const message = {
      ...inboundText(),
      type: 'image',
      image: { id: upstreamId, mime_type: 'image/jpeg', sha256: BASE64, ...more },
    };
    await messaging.callback(account.phoneNumberId, { messages: [message] });
    await eventually(() => expect(messaging.inboundEvents.some(({ upstreamId: id }) => id === message.id)).toBe(true));
    const event = messaging.inboundEvents.find(({ upstreamId: id }) => id === message.id);
    return (event?.content as { id: string }).id;
  };
  const stateOf = async (id: string): Promise<MediaState | undefined> =>
    (
      await messaging.dataSource.query<MediaState[]>(
        'SELECT *, extract(epoch FROM next_attempt_at - now())::float AS wait FROM media WHERE id = $1',
        [id],
      )
    )[0];
  const becomes = async (id: string, wanted: Partial<MediaState>): Promise<void> =>
    eventually(async () => expect(await stateOf(id)).toMatchObject(wanted));
  const ask = (mediaId: string, accountId = account.accountId) =>
    messaging.gateway.request(getMediaV1, { accountId, mediaId });
  const countOf = async (outcome: string): Promise<number> =>
    (await attempts.get()).values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  const change = (sql: string, upstreamId: string): Promise<[{ key: string }[], number]> =>
    messaging.dataSource.query(sql, [upstreamId]);
  const bytesOf = async (blobKey: string): Promise<Buffer> =>
    Buffer.concat(await (await messaging.blobs.get(blobKey)).stream.toArray());

  it('are fetched with the token and visible to their account only', async () => {
    const { id: upstreamId, downloads } = offer();
    const id = await receive(upstreamId, { filename: 'receipt.jpg' });
    await becomes(id, { state: 'stored', attempts: 0 });
    const found = await ask(id);
    expect(found).toMatchObject({
      mimeType: 'image/jpeg',
      bytes: BYTES.length,
      sha256: HEX,
      filename: 'receipt.jpg',
      blobKey: `inbound/${account.accountId}/${id}`,
    });
    expect(await bytesOf(found.blobKey)).toEqual(BYTES);
    expect(downloads()).toBe(1);
    expect(messaging.upstream.reads).toContain(`/v24.0/${upstreamId}?phone_number_id=${account.phoneNumberId}`);
    const other = await messaging.addAccount();
    await expect(ask(id, other.accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(ask(newId('med'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are read again when their URL has expired', async () => {
    const { id: upstreamId, downloads } = offer({ status: (download) => (download === 1 ? 404 : 200) });
    const id = await receive(upstreamId);
    await becomes(id, { state: 'stored', attempts: 0 });
    expect(downloads()).toBe(2);
  });

  it('are fetched immediately on request', async () => {
    let isBroken = true;
    const { id: upstreamId } = offer({ status: () => (isBroken ? 500 : 200) });
    const id = await receive(upstreamId);
    await becomes(id, { state: 'pending', attempts: 1 });
    expect((await stateOf(id))?.wait).toBeGreaterThan(5);
    await expect(ask(id)).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    expect(await stateOf(id)).toMatchObject({ state: 'pending', attempts: 1 });
    isBroken = false;
    expect(await ask(id)).toMatchObject({ sha256: HEX });
    await becomes(id, { state: 'stored' });
  });

  it('are retried when due after a failure', async () => {
    const { id: upstreamId, downloads } = offer({ status: (download) => (download === 1 ? 503 : 200) });
    const id = await receive(upstreamId);
    await becomes(id, { state: 'pending', attempts: 1 });
    // A task that arrives before the due time changes nothing.
    await messaging.gateway.enqueue(fetchMediaV1, { accountId: account.accountId, mediaId: id });
    await eventually(async () => expect(await stateOf(id)).toMatchObject({ state: 'stored' }), { timeoutMs: 20_000 });
    expect(downloads()).toBe(2);
  });

  it.each([
    [
      'unknown to upstream',
      (id: string) =>
        messaging.upstream.serve(`/v24.0/${id}`, (_request, response) =>
          writeJson(response, 400, errorBody(100, { subcode: 33 })),
        ),
    ],
    [
      'announced as too large',
      (id: string) =>
        messaging.upstream.serve(`/v24.0/${id}`, (_request, response) =>
          writeJson(response, 200, { url: 'https://x.example.com', file_size: 105_000_000 }),
        ),
    ],
    [
      'on a private address',
      (id: string) =>
        messaging.upstream.serve(`/v24.0/${id}`, (_request, response) =>
          writeJson(response, 200, { url: 'http://127.0.0.1:1/x' }),
        ),
    ],
    [
      'on a private https address',
      (id: string) =>
        messaging.upstream.serve(`/v24.0/${id}`, (_request, response) =>
          writeJson(response, 200, { url: 'https://10.0.0.1/x' }),
        ),
    ],
  ])('fail permanently with a reason if %s', async (_what, prepare) => {
    const { id: upstreamId, downloads } = offer();
    prepare(upstreamId);
    const id = await receive(upstreamId);
    await becomes(id, { state: 'failed', error: expect.any(String) as string });
    await expect(ask(id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/^not found: /) as string,
    });
    expect(downloads()).toBe(0);
  });

  it('fail immediately if upstream could not receive them', async () => {
    const { id: upstreamId, downloads } = offer();
    const message = {
      ...inboundText(),
      type: 'image',
      image: { id: upstreamId },
      errors: [{ code: 131052, title: 'Media download error' }],
    };
    await messaging.callback(account.phoneNumberId, { messages: [message] });
    await messaging.settled();
    const [row] = await messaging.dataSource.query<MediaState[]>('SELECT * FROM media WHERE upstream_media_id = $1', [
      upstreamId,
    ]);
    expect(row).toMatchObject({ state: 'failed', error: 'upstream could not receive the media: Media download error' });
    expect(downloads()).toBe(0);
  });

  it('are not stored if damaged', async () => {
    const { id: upstreamId } = offer({ bytes: Buffer.from('something else') });
    const id = await receive(upstreamId);
    await becomes(id, { state: 'pending', attempts: 1, error: 'the bytes do not have the announced SHA-256' });
    expect(await messaging.blobs.stat(`inbound/${account.accountId}/${id}`)).toBeUndefined();
    await messaging.dataSource.query('UPDATE media SET attempts = 2, next_attempt_at = now() WHERE id = $1', [id]);
    await messaging.gateway.enqueue(fetchMediaV1, { accountId: account.accountId, mediaId: id });
    await becomes(id, { state: 'failed' });
  });

  it('do not replace a stored file if damaged', async () => {
    const before = async (): Promise<void> => {
      const [[row]] = await change(
        "UPDATE media SET state = 'stored' WHERE upstream_media_id = $1 RETURNING blob_key AS key",
        upstreamId,
      );
      key = row?.key ?? '';
      await messaging.blobs.put(
        key,
        (async function* () {
          yield BYTES;
        })(),
      );
    };
    let key = '';
    const retriedBefore = await countOf('retried');
    const { id: upstreamId } = offer({ bytes: Buffer.from('something else'), before });
    await receive(upstreamId);
    await eventually(async () => expect(await countOf('retried')).toBe(retriedBefore + 1));
    expect(await bytesOf(key)).toEqual(BYTES);
  });

  it('leave no bytes if erased during the download', async () => {
    let key = '';
    const before = async (): Promise<void> => {
      const [[row]] = await change(
        'DELETE FROM media WHERE upstream_media_id = $1 RETURNING blob_key AS key',
        upstreamId,
      );
      key = row?.key ?? '';
    };
    const removedBefore = await countOf('removed');
    const { id: upstreamId } = offer({ before });
    const id = await receive(upstreamId);
    await eventually(async () => expect(await countOf('removed')).toBe(removedBefore + 1));
    expect(key).toContain(id);
    expect(await messaging.blobs.stat(key)).toBeUndefined();
    await expect(ask(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are retried until upstream drops them after seven days', async () => {
    const { id: upstreamId } = offer({ status: () => 500 });
    const id = await receive(upstreamId);
    await becomes(id, { state: 'pending', attempts: 1 });
    await messaging.dataSource.query(
      "UPDATE media SET created_at = now() - interval '8 days', next_attempt_at = now() WHERE id = $1",
      [id],
    );
    await messaging.gateway.enqueue(fetchMediaV1, { accountId: account.accountId, mediaId: id });
    await becomes(id, { state: 'failed', error: 'upstream no longer has the media: it keeps them for 7 days' });
  });

  it('are stored once despite repeated callbacks', async () => {
    const { id: upstreamId, downloads } = offer();
    const message = { ...inboundText(), type: 'image', image: { id: upstreamId, mime_type: 'image/jpeg' } };
    for (let round = 0; round < 3; round += 1) await messaging.callback(account.phoneNumberId, { messages: [message] });
    await messaging.settled();
    const rows = await messaging.dataSource.query<MediaState[]>('SELECT * FROM media WHERE upstream_media_id = $1', [
      upstreamId,
    ]);
    expect(rows).toHaveLength(1);
    await becomes(rows[0]?.id ?? '', { state: 'stored' });
    expect(downloads()).toBe(1);
  });
});
