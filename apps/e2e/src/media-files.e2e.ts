import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { call } from './support/api';
import { fileOf } from './support/files';
import { control, freshPhone, receivedUpstream, writeIn } from './support/simulator';
import { approved, createTemplate } from './support/templates';

const UPSTREAM_ID = /^\d{10,}$/;

describe('uploaded files', () => {
  let account: TestAccount;
  let other: TestAccount;
  let sale: string;
  let to: string;
  let picture: string;

  beforeAll(async () => {
    [account, other] = [await newAccount('Media files'), await newAccount('Media files, other')];
    const template = await createTemplate([
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2U='] } },
      { type: 'BODY', text: 'Your parcel is on its way.' },
    ]);
    sale = template.name;
    await approved(account, [sale]);
    to = freshPhone();
    await writeIn(to, 'Hello', { to: account.phoneNumber });
    await eventually(async () =>
      expect((await account.api.listConversations({ windowOpen: true })).conversations).toHaveLength(1),
    );
    picture = (await account.api.uploadMedia({ file: fileOf('image', 'sale.png') })).id;
  }, 120_000);

  const uploads = async (): Promise<number | undefined> => {
    const { numbers } = await control<{ numbers: { id: string; uploads: number }[] }>('GET', '/uploads');
    return numbers.find(({ id }) => id === account.phoneNumberId)?.uploads;
  };
  const bodyOf = async (phone: string, wamid: string) =>
    (await receivedUpstream(phone)).find((message) => message.wamid === wamid)?.body;
  const header = (id: string) => [{ type: 'header', parameters: [{ type: 'image' as const, image: { id } }] }];
  const saleWith = (more: object) => ({ name: sale, language: { code: 'en_US' }, ...more });

  it('are described, listed and downloaded', async () => {
    const file = fileOf('document', 'Terms.pdf');
    const { success, warnings, ...uploaded } = await account.api.uploadMedia({ file });
    expect([success, warnings]).toEqual([true, undefined]);
    expect(uploaded).toMatchObject({
      type: 'document',
      mimeType: 'application/pdf',
      bytes: file.size,
      fileName: 'Terms.pdf',
      lastUsedAt: null,
    });
    expect(await account.api.getMediaInfo({ id: uploaded.id })).toMatchObject(uploaded);
    expect((await account.api.listMedia({ limit: 1 })).media).toEqual([uploaded]);
    const bytes = await (await account.api.getMedia({ id: uploaded.id })).arrayBuffer();
    expect(Buffer.from(bytes)).toEqual(Buffer.from(await file.arrayBuffer()));
  });

  it('are uploaded to the platform once for all sends by id', async () => {
    const image = await account.api.sendMessage({ to, type: 'image', image: { id: picture }, caption: 'Look' });
    const platformId = expect.stringMatching(UPSTREAM_ID) as string;
    expect(await bodyOf(to, image.message_id)).toMatchObject({ image: { id: platformId, caption: 'Look' } });
    expect((await account.api.getMessage({ id: image.id })).message).toMatchObject({ image: { id: picture } });
    const template = await account.api.sendMessage({
      to,
      type: 'template',
      template: saleWith({ variables: { 'header media': picture } }),
    });
    expect(JSON.stringify(await bodyOf(to, template.message_id))).not.toContain(picture);
    const [shared, own, bySheet] = [freshPhone(), freshPhone(), freshPhone()];
    const bulk = await account.api.sendBulk({
      type: 'template',
      template: saleWith({ components: header(picture) }),
      recipients: [shared, { to: own, variables: { 'header media': picture } }],
    });
    const sheet = await account.api.sendBulkExcel({
      customerExcel: new File([`phone,header media\n${bySheet},${picture}\n`], 'sale.csv'),
      templateName: sale,
      language: 'en_US',
    });
    for (const { jobId } of [bulk, sheet])
      await eventually(async () =>
        expect((await account.api.getJob({ jobId })).job).toMatchObject({ status: 'completed', failed: 0 }),
      );
    for (const phone of [shared, own, bySheet])
      expect((await receivedUpstream(phone))[0]?.body).toMatchObject({
        template: { components: [{ type: 'header', parameters: [{ image: { id: platformId } }] }] },
      });
    expect(await uploads()).toBe(1);
  }, 120_000);

  it('are uploaded again when the platform no longer knows them', async () => {
    await account.api.sendMessage({ to, type: 'image', image: { id: picture } });
    const before = (await uploads()) ?? 0;
    await control('POST', '/media/forget', { phoneNumber: account.phoneNumber });
    const { message_id } = await account.api.sendMessage({ to, type: 'image', image: { id: picture } });
    expect(await uploads()).toBe(before + 1);
    expect((await receivedUpstream(to)).filter(({ wamid }) => wamid === message_id)).toMatchObject([{ count: 1 }]);
  });

  it('cannot be sent, read or deleted if unknown or of another account', async () => {
    const theirs = (await other.api.uploadMedia({ file: fileOf('image', 'theirs.png') })).id;
    const as = (method: string, path: string, body?: object) => call(method, path, { apiKey: account.apiKey, body });
    const [sent, inTemplate, info, bytes, deleted] = [
      await as('POST', '/messages/send', { to, type: 'image', image: { id: theirs } }),
      await as('POST', '/messages/send', { to, type: 'template', template: saleWith({ components: header(theirs) }) }),
      await as('GET', `/media/${theirs}/info`),
      await as('GET', `/media/${theirs}`),
      await as('DELETE', `/media/${theirs}`),
    ];
    expect(sent).toMatchObject({ status: 400, body: { code: 'MEDIA_NOT_FOUND', details: [{ field: 'image.id' }] } });
    expect(inTemplate).toMatchObject({
      status: 400,
      body: { code: 'MEDIA_NOT_FOUND', details: [{ field: 'template.components.0.parameters.0.image.id' }] },
    });
    for (const answer of [info, bytes, deleted])
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const { errors } = await account.api.sendBulk({
      type: 'template',
      template: saleWith({ components: header(picture) }),
      recipients: [freshPhone(), { to: freshPhone(), variables: { 'header media': theirs } }],
    });
    expect(errors).toMatchObject([{ index: 1, code: 'MEDIA_NOT_FOUND' }]);
    expect(JSON.stringify(await account.api.listMedia())).not.toContain(theirs);
  });

  it.each([
    [
      'a link and an id',
      { link: 'https://example.com/a.png', id: 'med_01jd0000000000000000000000' },
      400,
      'INVALID_PARAMETER',
    ],
    ['neither', {}, 400, 'MISSING_FIELD'],
    ['another format', { id: '1037543291543634' }, 422, 'INVALID_VALUE'],
  ])('are rejected with %s', async (_what, image, status, code) => {
    const answer = await call('POST', '/messages/send', { apiKey: account.apiKey, body: { to, type: 'image', image } });
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it('are rejected with the path of the id if the type differs', async () => {
    const body = { to, type: 'video', video: { id: picture } };
    expect(await call('POST', '/messages/send', { apiKey: account.apiKey, body })).toMatchObject({
      status: 400,
      body: { code: 'UNSUPPORTED_MEDIA', details: [{ field: 'video.id' }] },
    });
  });

  it('are deleted, but not while an unfinished job uses them', async () => {
    const { id } = await account.api.uploadMedia({ file: fileOf('image', 'held.png') });
    const { jobId } = await account.api.sendBulk({
      type: 'template',
      template: saleWith({ components: header(id) }),
      recipients: [freshPhone()],
      hold: true,
    });
    await expect(account.api.deleteMedia({ id })).rejects.toMatchObject({ status: 409, code: 'MEDIA_IN_USE' });
    await account.api.cancelJob({ jobId });
    expect(await account.api.deleteMedia({ id })).toMatchObject({ success: true, id });
    await expect(account.api.getMediaInfo({ id })).rejects.toMatchObject({ status: 404 });
  });

  it('are sent as voice messages if they are Ogg with Opus', async () => {
    const { id } = await account.api.uploadMedia({ file: fileOf('audio', 'voice.ogg') });
    const clientRef = randomUUID();
    const sent = [
      await account.api.sendMessage({ to, type: 'audio', audio: { id, voice: true }, clientRef }),
      await account.api.sendMessage({ to, type: 'audio', audio: { link: 'https://example.com/a.ogg', voice: true } }),
      await account.api.sendMessage({ to, type: 'audio', voice: true, file: fileOf('audio', 'other.ogg') }),
    ];
    for (const { message_id, id: messageId } of sent) {
      expect(await bodyOf(to, message_id)).toMatchObject({ audio: { voice: true } });
      expect((await account.api.getMessage({ id: messageId })).message).toMatchObject({ audio: { voice: true } });
    }
    const mp3 = new File([Buffer.from('4944330400000000000000', 'hex'), Buffer.alloc(64)], 'a.mp3');
    await expect(account.api.sendMessage({ to, type: 'audio', voice: true, file: mp3 })).rejects.toMatchObject({
      status: 400,
      code: 'UNSUPPORTED_MEDIA',
    });
  });
});
