import {
  AppError,
  createDraftV1,
  deleteDraftV1,
  deleteTemplateV1,
  editTemplateV1,
  firstIdAt,
  getDraftV1,
  getSyncV1,
  listDraftsV1,
  listTemplateEventsV1,
  newId,
  requestSyncV1,
  searchTemplatesV1,
  sendMessageV1,
  showTemplateV1,
  submitDraftV1,
  templateSamples,
  updateDraftV1,
} from '@switchboard/contracts';
import type { UserRecord } from '../src/users/users.service';
import { auditOf, type Browser, lastAudit, signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const TEMPLATES = '/console/v1/templates';
const DRAFTS = '/console/v1/template-drafts';
const SYNC = '/console/v1/template-sync';
const { id: templateId } = templateSamples.template;
const { id: draftId, components } = templateSamples.draft;
const given = { name: 'order_update', language: 'en_US', category: 'UTILITY', components };

describe('console template routes', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let admin: Browser & { user: UserRecord };

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['templates', 'messaging'] });
    customer = await gateway.customer();
    admin = await signedIn(gateway, customer.accountId, 'admin');
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  it('create a draft whose text is not audited', async () => {
    const { status, body } = await admin.call('POST', DRAFTS, {
      body: { ...given, accountId: 'acc_other', ttlSeconds: 60 },
    });
    expect([status, body]).toEqual([201, { success: true, ...createDraftV1.sample.response }]);
    expect(gateway.fakes.of(createDraftV1)).toEqual([{ accountId: customer.accountId, ...given, ttlSeconds: 60 }]);
    expect(await lastAudit(gateway)).toEqual(
      auditOf(admin.user, 'template-draft.create', customer.accountId, {
        name: 'order_update',
        language: 'en_US',
        category: 'UTILITY',
      }),
    );
  });

  it.each([
    [{ ...given, name: undefined }, 400, 'MISSING_FIELD'],
    [{ ...given, name: '' }, 422, 'INVALID_VALUE'],
    [{ ...given, name: 'a\u0000' }, 422, 'INVALID_VALUE'],
    [{ ...given, name: 'x'.repeat(513) }, 422, 'TEXT_TOO_LONG'],
    [{ ...given, components: 'BODY' }, 400, 'INVALID_PARAMETER'],
    [{ ...given, components: [['BODY']] }, 400, 'INVALID_PARAMETER'],
    [{ ...given, components: [null] }, 400, 'INVALID_PARAMETER'],
    [{ ...given, components: Array.from({ length: 21 }, () => ({})) }, 422, 'INVALID_VALUE'],
    [{ ...given, ttlSeconds: -1 }, 422, 'INVALID_VALUE'],
    [{ ...given, ttlSeconds: 'x' }, 400, 'INVALID_PARAMETER'],
    [[], 400, 'INVALID_PARAMETER'],
  ])('reject an invalid draft: %#', async (body, status, code) => {
    const answer = await admin.call('POST', DRAFTS, { body });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(gateway.fakes.of(createDraftV1)).toEqual([]);
  });

  it('list, show, change, submit and delete drafts', async () => {
    expect((await admin.call('GET', `${DRAFTS}?state=draft&limit=500&cursor=${draftId}`)).body).toEqual({
      success: true,
      ...listDraftsV1.sample.response,
    });
    expect(gateway.fakes.of(listDraftsV1)).toEqual([
      { accountId: customer.accountId, limit: 100, state: 'draft', cursor: draftId },
    ]);
    expect((await admin.call('GET', `${DRAFTS}/${draftId}`)).body).toEqual({
      success: true,
      ...getDraftV1.sample.response,
    });
    expect((await admin.call('PATCH', `${DRAFTS}/${draftId}`, { body: { components, ttlSeconds: 0 } })).body).toEqual({
      success: true,
      ...updateDraftV1.sample.response,
    });
    expect(await lastAudit(gateway)).toEqual(
      auditOf(admin.user, 'template-draft.change', draftId, { changed: ['components', 'ttlSeconds'] }),
    );
    expect((await admin.call('PATCH', `${DRAFTS}/${draftId}`, { body: {} })).body.code).toBe('MISSING_FIELD');
    const submitted = await admin.call('POST', `${DRAFTS}/${draftId}/submit`);
    expect([submitted.status, submitted.body]).toEqual([200, { success: true, ...submitDraftV1.sample.response }]);
    expect(await lastAudit(gateway)).toEqual(auditOf(admin.user, 'template.submit', draftId));
    expect((await admin.call('DELETE', `${DRAFTS}/${draftId}`)).body).toEqual({
      success: true,
      ...deleteDraftV1.sample.response,
    });
    expect((await admin.call('GET', `${DRAFTS}/ep_01jd0000000000000000000000`)).status).toBe(404);
    expect((await admin.call('GET', `${DRAFTS}?state=lost`)).body.code).toBe('INVALID_PARAMETER');
  });

  it('test-send a template without auditing the recipient', async () => {
    const parts = [{ type: 'body', parameters: [{ type: 'text', text: 'A-17' }] }];
    const send = (body: object) => admin.call('POST', `${TEMPLATES}/${templateId}/test-sends`, { body });
    const { status, body } = await send({ to: '919812345678', components: parts, accountId: 'acc_other' });
    const { id, upstreamId } = sendMessageV1.sample.response;
    expect([status, body]).toEqual([201, { success: true, id, upstreamId }]);
    const { name, language } = templateSamples.template;
    expect(gateway.fakes.of(sendMessageV1)).toEqual([
      {
        accountId: customer.accountId,
        messageId: expect.stringMatching(/^msg_/) as string,
        message: {
          to: '919812345678',
          type: 'template',
          template: { name, language: { code: language }, components: parts },
        },
      },
    ]);
    expect(await lastAudit(gateway)).toEqual(auditOf(admin.user, 'template.test-send', templateId));
    const headers = { 'idempotency-key': 'the dialog' };
    const repeat = () =>
      admin.call('POST', `${TEMPLATES}/${templateId}/test-sends`, { body: { to: '919812345678' }, headers });
    await repeat();
    expect((await repeat()).headers.get('idempotency-replay')).toBe('true');
    expect(gateway.fakes.of(sendMessageV1)).toHaveLength(2);
    expect((await send({})).body.code).toBe('MISSING_FIELD');
    expect((await send({ to: 'nobody' })).body.code).toBe('INVALID_PHONE');
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('TEMPLATE_NOT_APPROVED');
    });
    expect((await send({ to: '919812345678' })).body.code).toBe('TEMPLATE_NOT_APPROVED');
  });

  it('audit the saves of a draft once per 15 minutes', async () => {
    const id = newId('tpl');
    const save = (by: Browser) => by.call('PATCH', `${DRAFTS}/${id}`, { body: { components } });
    const notes = () =>
      gateway.database.dataSource.query<{ outcome: string }[]>(
        'SELECT outcome FROM audit_log WHERE target = $1 ORDER BY id COLLATE "C"',
        [id],
      );
    gateway.fakes.answer(updateDraftV1, () => {
      throw new AppError('NOT_FOUND');
    });
    expect((await save(admin)).status).toBe(404);
    gateway.fakes.reset();
    for (let saves = 0; saves < 3; saves += 1) expect((await save(admin)).status).toBe(200);
    expect(gateway.fakes.of(updateDraftV1)).toHaveLength(3);
    expect(await notes()).toEqual([{ outcome: 'refused' }, { outcome: 'done' }]);
    await save(await signedIn(gateway, customer.accountId, 'admin'));
    expect(await notes()).toHaveLength(3);
    const earlier = firstIdAt('aud', Date.now() - 16 * 60_000);
    await gateway.database.dataSource.query(
      `UPDATE audit_log SET id = $2 WHERE target = $1 AND actor = $3 AND outcome = 'done'`,
      [id, earlier, `user:${admin.user.userId}`],
    );
    await save(admin);
    expect(await notes()).toHaveLength(4);
  });

  it('return the errors of a draft by field', async () => {
    const details = [{ field: 'body.text', message: 'a text is needed' }];
    gateway.fakes.answer(submitDraftV1, () => {
      throw new AppError('INVALID_VALUE', {
        message: 'the template cannot be submitted: body.text a text is needed',
        details,
      });
    });
    expect(await admin.call('POST', `${DRAFTS}/${draftId}/submit`)).toMatchObject({
      status: 422,
      body: { success: false, code: 'INVALID_VALUE', details },
    });
  });

  it('list and show templates and their history', async () => {
    const filters = 'status=REJECTED&name=order&language=en-US&category=UTILITY&limit=5&cursor=abc';
    expect((await admin.call('GET', `${TEMPLATES}?${filters}`)).body).toEqual({
      success: true,
      ...searchTemplatesV1.sample.response,
    });
    expect(gateway.fakes.of(searchTemplatesV1)).toEqual([
      {
        accountId: customer.accountId,
        limit: 5,
        cursor: 'abc',
        status: 'REJECTED',
        name: 'order',
        language: 'en-US',
        category: 'UTILITY',
      },
    ]);
    expect((await admin.call('GET', `${TEMPLATES}/${templateId}`)).body).toEqual({
      success: true,
      ...showTemplateV1.sample.response,
    });
    expect((await admin.call('GET', `${TEMPLATES}/${templateId}/events?limit=2&cursor=7`)).body).toEqual({
      success: true,
      ...listTemplateEventsV1.sample.response,
    });
    expect(gateway.fakes.of(listTemplateEventsV1)).toEqual([
      { accountId: customer.accountId, templateId, limit: 2, cursor: '7' },
    ]);
    for (const query of ['status=GONE', 'category=utility', 'limit=0'])
      expect((await admin.call('GET', `${TEMPLATES}?${query}`)).body.code).toBe('INVALID_PARAMETER');
    for (const cursor of ['x', '-1', '9'.repeat(19)])
      expect((await admin.call('GET', `${TEMPLATES}/${templateId}/events?cursor=${cursor}`)).body.code).toBe(
        'INVALID_PARAMETER',
      );
    expect((await admin.call('GET', `${TEMPLATES}/order_update`)).status).toBe(404);
  });

  it('edit and delete templates', async () => {
    const edited = await admin.call('POST', `${TEMPLATES}/${templateId}/edit`);
    expect([edited.status, edited.body]).toEqual([201, { success: true, ...editTemplateV1.sample.response }]);
    expect(await lastAudit(gateway)).toEqual(auditOf(admin.user, 'template.edit', templateId));
    gateway.fakes.answer(deleteTemplateV1, () => ({ templateId, otherAccounts: 2 }));
    const deleted = (await admin.call('DELETE', `${TEMPLATES}/${templateId}`)).body;
    expect(deleted).toEqual({ success: true, otherAccounts: 2 });
    expect(gateway.fakes.of(deleteTemplateV1)).toEqual([{ accountId: customer.accountId, templateId }]);
    expect(await lastAudit(gateway)).toEqual(auditOf(admin.user, 'template.delete', templateId));
    gateway.fakes.answer(showTemplateV1, () => {
      throw new AppError('NOT_FOUND');
    });
    const unknown = `${TEMPLATES}/1407000000000000`;
    expect((await admin.call('DELETE', unknown)).status).toBe(404);
    expect((await admin.call('POST', `${unknown}/edit`)).status).toBe(404);
    expect(await lastAudit(gateway)).toEqual(auditOf(admin.user, 'template.delete', templateId));
  });

  it.each([
    ['UPSTREAM_THROTTLED', 429],
    ['UPSTREAM_ERROR', 502],
    ['UPSTREAM_TIMEOUT', 504],
  ] as const)('pass on the upstream error %s', async (code, status) => {
    gateway.fakes.answer(deleteTemplateV1, () => {
      throw new AppError(code, { retryAfterSeconds: 60 });
    });
    const answer = await admin.call('DELETE', `${TEMPLATES}/${templateId}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('start a template sync and return its progress', async () => {
    const begun = await admin.call('POST', SYNC);
    expect([begun.status, begun.body]).toEqual([200, { success: true, ...requestSyncV1.sample.response }]);
    expect(await lastAudit(gateway)).toEqual(auditOf(admin.user, 'template.sync', customer.accountId));
    expect((await admin.call('GET', SYNC)).body).toEqual({ success: true, ...getSyncV1.sample.response });
  });
});
