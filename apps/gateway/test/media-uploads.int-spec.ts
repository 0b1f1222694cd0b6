import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addMediaFileV1, type AddMediaFileCommand, AppError, sendMessageV1 } from '@switchboard/contracts';
import { signedIn } from './support/console';
import { FILES, formWith } from './support/files';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type Answer, call } from './support/http';

const MIB = 1_048_576;

describe('POST /v1/media', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    gateway.fakes.reset();
    gateway.fakes.answer(addMediaFileV1, (command) => ({
      ...addMediaFileV1.sample.response,
      id: command.mediaId,
      blobKey: command.blobKey,
    }));
  });

  const added = (): AddMediaFileCommand[] => gateway.fakes.of(addMediaFileV1) as never;

  /** Lists all blobs, without the folder of incomplete ones. */
  async function blobs(): Promise<string[]> {
    const entries = await readdir(gateway.config.BLOB_DIR, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  async function upload(
    form: FormData,
    { key = customer.apiKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await fetch(`${gateway.url}/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: form,
    });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body };
  }

  it('stores the file before it responds', async () => {
    const answer = await upload(formWith(FILES.jpeg, {}, 'sale.jpg'));
    const [command] = added();
    expect(command).toMatchObject({
      accountId: customer.accountId,
      type: 'image',
      mimeType: 'image/jpeg',
      bytes: FILES.jpeg.length,
      sha256: createHash('sha256').update(FILES.jpeg).digest('hex'),
      fileName: 'sale.jpg',
      blobKey: expect.stringMatching(`^media/${customer.accountId}/med_`) as string,
    });
    expect(answer).toMatchObject({ status: 201, body: { success: true, id: command?.mediaId } });
    expect(answer.body).not.toHaveProperty('blobKey');
    expect(await blobs()).toContain(join(gateway.config.BLOB_DIR, command?.blobKey ?? ''));
  });

  it.each([
    ['docx', 'document'],
    ['pdf', 'document'],
    ['opus', 'audio'],
    ['mp3', 'audio'],
  ] as const)('detects the type of %s', async (name, type) => {
    expect((await upload(formWith(FILES[name], {}, name))).status).toBe(201);
    expect(added()[0]).toMatchObject({ type });
  });

  it.each([
    ['of another kind', () => formWith(FILES.gif, {}, 'a.jpg'), 400, 'UNSUPPORTED_MEDIA', 'image/gif'],
    ['that is empty', () => formWith(Buffer.alloc(0), {}, 'a.jpg'), 400, 'FILE_INVALID', 'it is empty'],
    [
      'too large for its type',
      () => formWith(Buffer.concat([FILES.jpeg, Buffer.alloc(5 * MIB)]), {}, 'a.jpg'),
      413,
      'PAYLOAD_TOO_LARGE',
      'at most 5 MB',
    ],
    ['that is missing', () => formWith(undefined, { note: 'x' }, 'a.jpg'), 400, 'MISSING_FIELD', 'file is required'],
  ])('stores no file %s', async (_what, form, status, code, text) => {
    const before = await blobs();
    const answer = await upload(form());
    expect(answer).toMatchObject({ status, body: { code, message: expect.stringContaining(text) as string } });
    expect([await blobs(), added()]).toEqual([before, []]);
  });

  it('requires the plan feature and a form', async () => {
    const starter = await gateway.customer({ plan: 'starter' });
    expect(await upload(formWith(FILES.jpeg, {}, 'a.jpg'), { key: starter.apiKey })).toMatchObject({
      status: 403,
      body: { code: 'FEATURE_NOT_IN_PLAN' },
    });
    expect(await call(`${gateway.url}/v1/media`, { key: customer.apiKey, body: { file: 'x' } })).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    });
  });

  it('deletes rejected bytes but retains them after an unknown outcome', async () => {
    const before = await blobs();
    gateway.fakes.answer(addMediaFileV1, () => {
      throw new AppError('MEDIA_QUOTA_EXCEEDED');
    });
    expect(await upload(formWith(FILES.jpeg, {}, 'a.jpg'))).toMatchObject({
      status: 403,
      body: { code: 'MEDIA_QUOTA_EXCEEDED' },
    });
    expect(await blobs()).toEqual(before);
    gateway.fakes.answer(addMediaFileV1, () => {
      throw new AppError('OUTCOME_UNKNOWN');
    });
    expect((await upload(formWith(FILES.jpeg, {}, 'a.jpg'))).status).toBe(504);
    expect(await blobs()).toHaveLength(before.length + 1);
  });

  it('stores one file per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': `media-${randomBytes(4).toString('hex')}` };
    const first = await upload(formWith(FILES.jpeg, {}, 'a.jpg'), { headers });
    const before = await blobs();
    const again = await upload(formWith(FILES.jpeg, {}, 'a.jpg'), { headers });
    expect([again.body, again.headers.get('idempotency-replay')]).toEqual([first.body, 'true']);
    expect(await upload(formWith(FILES.png, {}, 'a.jpg'), { headers })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_MISMATCH' },
    });
    expect([added().length, await blobs()]).toEqual([1, before]);
  });

  it('deletes the duplicate file of an upload retried after a crash', async () => {
    const before = await blobs();
    gateway.fakes.answer(addMediaFileV1, (command) => ({
      ...addMediaFileV1.sample.response,
      id: command.mediaId,
      blobKey: `${command.blobKey}-of-the-first`,
    }));
    expect((await upload(formWith(FILES.jpeg, {}, 'a.jpg'))).status).toBe(201);
    expect(await blobs()).toEqual(before);
  });

  it('is recorded in the audit log for users of the dashboard', async () => {
    const browser = await signedIn(gateway, customer.accountId, 'admin');
    const answer = await browser.call('POST', '/console/v1/media', { body: formWith(FILES.jpeg, {}, 'a.jpg') });
    expect(answer.status).toBe(201);
    const rows: unknown[] = await gateway.database.dataSource.query(
      "SELECT outcome, details FROM audit_log WHERE action = 'media.upload' AND target = $1",
      [added()[0]?.mediaId],
    );
    expect(rows).toMatchObject([{ outcome: 'done', details: { mimeType: 'image/jpeg' } }]);
  });

  it('accepts a voice message by form only as Ogg with Opus', async () => {
    const send = async (file: Buffer, fields: Record<string, string>): Promise<Answer> => {
      const response = await fetch(`${gateway.url}/v1/messages/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.apiKey}` },
        body: formWith(file, { to: '919812345678', ...fields }, 'voice'),
      });
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, headers: response.headers, body };
    };
    expect((await send(FILES.opus, { type: 'audio', voice: 'true' })).status).toBe(200);
    expect(gateway.fakes.of(sendMessageV1)).toMatchObject([{ message: { type: 'audio', voice: 'true' } }]);
    expect(await send(FILES.mp3, { type: 'audio', voice: 'true' })).toMatchObject({
      status: 400,
      body: { code: 'UNSUPPORTED_MEDIA', message: expect.stringContaining('Ogg with Opus') as string },
    });
    expect(await send(FILES.jpeg, { type: 'image', voice: 'true' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PARAMETER', details: [{ field: 'voice' }] },
    });
    expect((await send(FILES.mp3, { type: 'audio', voice: 'false' })).status).toBe(200);
  });
});
