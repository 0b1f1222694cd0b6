import { createBlobStore } from '@switchboard/blobs';
import {
  addHeaderSampleV1,
  addMediaFileV1,
  AppError,
  countHeaderSamplesV1,
  getHeaderSampleV1,
  getMediaFileV1,
  HEADER_SAMPLES,
  newId,
} from '@switchboard/contracts';
import type { UserRecord } from '../src/users/users.service';
import { type Browser, signedIn } from './support/console';
import { FILES } from './support/files';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const ROUTE = '/console/v1/templates/header-samples';
const MIB = 1_048_576;

describe('template header sample', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let admin: Browser & { user: UserRecord };

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging', 'templates'],
      settings: { HEADER_SAMPLE_MAX_MEGABYTES: 3 },
    });
    customer = await gateway.customer();
    admin = await signedIn(gateway, customer.accountId, 'admin');
  });
  beforeEach(async () => {
    gateway.fakes.reset();
    const blobs = await createBlobStore(gateway.config);
    for (const key of await stored()) await blobs.delete(key);
  });
  afterAll(() => gateway.close());

  const upload = (file: Buffer, { name = 'menu.png', field = 'file' } = {}) => {
    const body = new FormData();
    body.set(field, new Blob([new Uint8Array(file)], { type: 'image/png' }), name);
    return admin.call('POST', ROUTE, { body });
  };
  const stored = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of (await createBlobStore(gateway.config)).list(HEADER_SAMPLES)) keys.push(key);
    return keys;
  };

  it.each([
    ['a PNG', FILES.png, 'image/png'],
    ['a JPEG', FILES.jpeg, 'image/jpeg'],
    ['a video', FILES.mp4, 'video/mp4'],
    ['a PDF', FILES.pdf, 'application/pdf'],
  ])('is detected as %s by its bytes and stored', async (_kind, file, mimeType) => {
    expect(await upload(file)).toMatchObject({
      status: 201,
      body: { success: true, ...addHeaderSampleV1.sample.response },
    });
    const [command] = gateway.fakes.of(addHeaderSampleV1);
    expect(command).toEqual({
      accountId: customer.accountId,
      sampleId: expect.stringMatching(/^med_/),
      mimeType,
      bytes: file.length,
      filename: 'menu.png',
    });
    const { sampleId } = command as { sampleId: string };
    expect(await stored()).toEqual([`${HEADER_SAMPLES}${customer.accountId}/${sampleId}`]);
    const [entry] = await gateway.database.dataSource.query<object[]>(
      'SELECT actor, action, target, details, outcome FROM audit_log ORDER BY id COLLATE "C" DESC LIMIT 1',
    );
    expect(entry).toEqual({
      actor: `user:${admin.user.userId}`,
      action: 'template-sample.upload',
      target: sampleId,
      details: { mimeType, bytes: file.length },
      outcome: 'done',
    });
  });

  it.each([
    ['an unsupported image', FILES.gif, 'UNSUPPORTED_MEDIA'],
    ['an unsupported video', FILES.gp3, 'UNSUPPORTED_MEDIA'],
    ['an HTML page', FILES.html, 'UNSUPPORTED_MEDIA'],
    ['an empty file', Buffer.alloc(0), 'FILE_INVALID'],
    ['larger than the setting', Buffer.concat([FILES.pdf, Buffer.alloc(3 * MIB)]), 'PAYLOAD_TOO_LARGE'],
  ])('is rejected and not stored if it is %s', async (_what, file, code) => {
    expect((await upload(file)).body).toMatchObject({ success: false, code });
    expect(gateway.fakes.of(addHeaderSampleV1)).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it.each(['INVALID_VALUE', 'UNAVAILABLE'] as const)('is deleted when the service rejects it with %s', async (code) => {
    gateway.fakes.answer(addHeaderSampleV1, () => {
      throw new AppError(code);
    });
    expect((await upload(FILES.png)).body.code).toBe(code);
    expect(await stored()).toEqual([]);
  });

  it("remains while the service's outcome is unknown", async () => {
    gateway.fakes.answer(addHeaderSampleV1, () => {
      throw new AppError('OUTCOME_UNKNOWN');
    });
    expect((await upload(FILES.png)).body.code).toBe('OUTCOME_UNKNOWN');
    expect(await stored()).toHaveLength(1);
  });

  it('is rejected before its body if the account has 200', async () => {
    gateway.fakes.answer(countHeaderSamplesV1, ({ accountId }) => ({
      samples: accountId === customer.accountId ? 200 : 0,
    }));
    const { body } = await upload(FILES.png);
    expect(body).toMatchObject({ code: 'INVALID_VALUE', message: expect.stringContaining('200 samples') as string });
    expect(gateway.fakes.of(addHeaderSampleV1)).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('is rejected in another field or content type', async () => {
    expect((await upload(FILES.png, { field: 'picture' })).body.code).toBe('INVALID_PARAMETER');
    expect((await admin.call('POST', ROUTE, { body: new FormData() })).body.code).toMatch(
      /^(MISSING_FIELD|INVALID_PARAMETER)$/,
    );
    expect((await admin.call('POST', ROUTE, { body: {} })).body.code).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await stored()).toEqual([]);
  });

  it('is served as a download with its type, uncached', async () => {
    await upload(FILES.png);
    const [{ sampleId }] = gateway.fakes.of(addHeaderSampleV1) as [{ sampleId: string }];
    const viewer = await signedIn(gateway, customer.accountId, 'viewer');
    const answer = await fetch(`${gateway.url}${ROUTE}/${sampleId}`, { headers: { cookie: viewer.cookie } });
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
      200,
      {
        'content-type': 'image/png',
        'content-length': String(FILES.png.length),
        'content-disposition': 'attachment; filename="menu.png"',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      },
    ]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(FILES.png)).toBe(true);
    expect(gateway.fakes.of(getHeaderSampleV1)).toEqual([{ accountId: customer.accountId, sampleId }]);
  });

  it('supports range requests', async () => {
    await upload(FILES.mp4);
    const [{ sampleId }] = gateway.fakes.of(addHeaderSampleV1) as [{ sampleId: string }];
    const { sample } = getHeaderSampleV1.sample.response;
    gateway.fakes.answer(getHeaderSampleV1, () => ({ sample: { ...sample, bytes: FILES.mp4.length } }));
    const part = (range: string) =>
      fetch(`${gateway.url}${ROUTE}/${sampleId}`, { headers: { cookie: admin.cookie, range } });
    const answer = await part('bytes=4-7');
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
      206,
      { 'content-range': `bytes 4-7/${FILES.mp4.length}`, 'content-length': '4', 'accept-ranges': 'bytes' },
    ]);
    expect(await answer.text()).toBe('ftyp');
    const beyond = await part('bytes=100000-');
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${FILES.mp4.length}`]);
  });

  describe('as an uploaded file', () => {
    const { sample } = getHeaderSampleV1.sample.response;
    const makeSendable = (sampleId: string) => admin.call('POST', `${ROUTE}/${sampleId}/media`);
    const files = async (): Promise<string[]> => {
      const keys: string[] = [];
      const blobs = await createBlobStore(gateway.config);
      for await (const { key } of blobs.list(`media/${customer.accountId}/`)) keys.push(key);
      return keys;
    };
    const absent = (): never => {
      throw new AppError('NOT_FOUND');
    };
    let sampleId: string;
    beforeEach(async () => {
      const blobs = await createBlobStore(gateway.config);
      for (const key of await files()) await blobs.delete(key);
      await upload(FILES.png);
      [{ sampleId }] = gateway.fakes.of(addHeaderSampleV1) as [{ sampleId: string }];
      gateway.fakes.answer(getHeaderSampleV1, () => ({ sample: { ...sample, id: sampleId } }));
      gateway.fakes.answer(getMediaFileV1, absent);
      gateway.fakes.answer(addMediaFileV1, ({ mediaId, blobKey }) => ({
        ...addMediaFileV1.sample.response,
        id: mediaId,
        blobKey,
      }));
    });

    it('is copied under its own id, and audited', async () => {
      const { status, body } = await makeSendable(sampleId);
      expect([status, body]).toMatchObject([200, { success: true, id: sampleId, type: 'image' }]);
      expect(body).not.toHaveProperty('blobKey');
      const [command] = gateway.fakes.of(addMediaFileV1) as [{ blobKey: string }];
      expect(command).toMatchObject({
        accountId: customer.accountId,
        mediaId: sampleId,
        type: 'image',
        mimeType: 'image/png',
        bytes: FILES.png.length,
        fileName: 'menu.png',
      });
      expect(await files()).toEqual([command.blobKey]);
      const [entry] = await gateway.database.dataSource.query<object[]>(
        'SELECT action, target, outcome FROM audit_log ORDER BY id COLLATE "C" DESC LIMIT 1',
      );
      expect(entry).toEqual({ action: 'media.upload', target: sampleId, outcome: 'done' });
    });

    it('is not copied again until its retention ends', async () => {
      const left = (ms: number) => {
        const expiresAt = new Date(Date.now() + ms).toISOString();
        gateway.fakes.answer(getMediaFileV1, () => ({ ...getMediaFileV1.sample.response, id: sampleId, expiresAt }));
      };
      left(48 * 3_600_000);
      expect((await makeSendable(sampleId)).body.id).toBe(sampleId);
      expect([gateway.fakes.of(addMediaFileV1), await files()]).toEqual([[], []]);
      left(3_600_000);
      // The existing file has its own bytes.
      const existing = 'media/acc/first';
      gateway.fakes.answer(addMediaFileV1, () => ({ ...addMediaFileV1.sample.response, blobKey: existing }));
      expect((await makeSendable(sampleId)).status).toBe(200);
      expect([gateway.fakes.of(addMediaFileV1).length, await files()]).toEqual([1, []]);
    });

    it('gets another id while the deleted file is being removed', async () => {
      gateway.fakes.answer(addMediaFileV1, ({ mediaId, blobKey }) =>
        mediaId === sampleId ? absent() : { ...addMediaFileV1.sample.response, id: mediaId, blobKey },
      );
      const { body } = await makeSendable(sampleId);
      expect(body.id).toMatch(/^med_/);
      expect(body.id).not.toBe(sampleId);
      expect(await files()).toHaveLength(1);
    });

    it('is not stored when the quota is used up or the sample is missing', async () => {
      gateway.fakes.answer(addMediaFileV1, () => {
        throw new AppError('MEDIA_QUOTA_EXCEEDED');
      });
      expect((await makeSendable(sampleId)).body.code).toBe('MEDIA_QUOTA_EXCEEDED');
      gateway.fakes.answer(getHeaderSampleV1, absent);
      expect((await makeSendable(sampleId)).status).toBe(404);
      expect(await files()).toEqual([]);
    });
  });

  it('is not found if unknown or of another account', async () => {
    gateway.fakes.answer(getHeaderSampleV1, () => {
      throw new AppError('NOT_FOUND');
    });
    expect((await admin.call('GET', `${ROUTE}/${newId('med')}`)).status).toBe(404);
  });
});
