import {
  AppError,
  getDraftV1,
  listEndpointsV1,
  listMediaFilesV1,
  listMessagesV1,
  listNumbersV1,
  newId,
  SAMPLE_JOB,
  searchTemplatesV1,
  showTemplateV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { recordIntent } from '../src/audit-log/audit-log';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { signedIn, usersOn } from './support/console';

type SignedInBrowser = Awaited<ReturnType<typeof signedIn>>;

interface Entry {
  id: string;
  actor: string;
  actorName: string | null;
  action: string;
  target: string;
  targetName: string | null;
  details: object;
}

describe('console account', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let owner: SignedInBrowser;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['jobs', 'messaging', 'templates', 'webhooks'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 },
    });
  });
  beforeEach(async () => {
    gateway.fakes.reset();
    await gateway.database.dataSource.query('DELETE FROM sign_in_attempts');
    customer = await gateway.customer();
    owner = await signedIn(gateway, customer.accountId);
  });
  afterAll(() => gateway.close());

  it('returns the effective plan, credits and numbers', async () => {
    const { credits, overrides } = gateway.services;
    await credits.topUp({ accountId: customer.accountId, category: 'utility', amount: 40, reason: 'test' }, 'test');
    await overrides.setOverrides(customer.accountId, { bulkRecipients: 7, rateLimit: 11 }, 'test');
    const viewer = await signedIn(gateway, customer.accountId, 'viewer');
    const { body } = await viewer.call('GET', '/console/v1/account');
    const [{ id, phoneNumber, status } = {}] = listNumbersV1.sample.response.numbers;
    expect(body).toMatchObject({
      account: { id: customer.accountId, name: 'Customer' },
      plan: { features: expect.any(Array) as string[], limits: { bulkRecipients: 7, rateLimit: 11 } },
      credits: { utility: expect.any(Number) as number },
      numbers: [{ id, phoneNumber, status, stoppedReason: null }],
    });
    expect((body.credits as { utility: number }).utility).toBeGreaterThanOrEqual(40);
    expect(gateway.fakes.of(listNumbersV1)).toEqual([{ accountId: customer.accountId }]);
  });

  it('sets the time zone for all users, audited', async () => {
    const admin = await signedIn(gateway, customer.accountId, 'admin');
    const other = await signedIn(gateway, (await gateway.customer()).accountId);
    const zoneOf = async (user: SignedInBrowser) =>
      ((await user.call('GET', '/console/v1/me')).body.account as { timeZone: string | null }).timeZone;
    expect(await zoneOf(owner)).toBeNull();
    const set = (timeZone: unknown, by = admin) => by.call('PATCH', '/console/v1/account', { body: { timeZone } });
    expect(await set('Asia/Kolkata')).toMatchObject({ status: 200, body: { timeZone: 'Asia/Kolkata' } });
    expect([await zoneOf(owner), await zoneOf(other)]).toEqual(['Asia/Kolkata', null]);
    const { body } = await owner.call('GET', '/console/v1/audit-log?action=account.set-time-zone');
    expect(body.entries).toMatchObject([
      { actor: admin.user.userId, target: customer.accountId, details: { timeZone: 'Asia/Kolkata' } },
    ]);
    for (const wrong of ['Mars/Base', '+05:30', '', "UTC'", '<b>', '__proto__'])
      expect(await set(wrong)).toMatchObject({ status: 422, body: { code: 'INVALID_VALUE' } });
    expect(await set('a'.repeat(65))).toMatchObject({ status: 422, body: { code: 'TEXT_TOO_LONG' } });
    expect((await set(undefined)).body.code).toBe('MISSING_FIELD');
    const reset = (more: object) =>
      admin.call('PATCH', '/console/v1/account', { body: { browserTimeZone: true, ...more } });
    expect((await reset({ timeZone: 'UTC' })).body.code).toBe('INVALID_PARAMETER');
    const viewer = await signedIn(gateway, customer.accountId, 'viewer');
    expect((await set('UTC', viewer)).body.code).toBe('ROLE_NOT_ALLOWED');
    expect(await zoneOf(owner)).toBe('Asia/Kolkata');
    expect(await reset({})).toMatchObject({ status: 200, body: { timeZone: null } });
    expect(await zoneOf(owner)).toBeNull();
  });

  it('reports the completed first steps', async () => {
    const steps = async () => (await owner.call('GET', '/console/v1/first-steps')).body;
    const nothing = { hasMessage: false, hasTemplate: false, hasWebhookEndpoint: false };
    const { response: noMessages } = listMessagesV1.sample;
    gateway.fakes.answer(listMessagesV1, () => ({ ...noMessages, messages: [] }));
    gateway.fakes.answer(searchTemplatesV1, () => ({ templates: [], nextCursor: null }));
    gateway.fakes.answer(listEndpointsV1, () => ({ endpoints: [] }));
    expect(await steps()).toMatchObject({ hasApiKey: true, ...nothing });
    await gateway.services.keys.revokeKey(customer, 'test');
    expect(await steps()).toMatchObject({ hasApiKey: false, ...nothing });
    gateway.fakes.reset();
    expect(await steps()).toMatchObject({
      hasApiKey: false,
      hasMessage: true,
      hasTemplate: true,
      hasWebhookEndpoint: true,
    });
    expect(gateway.fakes.of(listMessagesV1)).toMatchObject([{ accountId: customer.accountId, direction: 'outbound' }]);
    expect(gateway.fakes.of(searchTemplatesV1)).toMatchObject([{ status: 'APPROVED' }]);
  });

  it('returns 503 while a required service is down', async () => {
    gateway.fakes.answer(listEndpointsV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    const { status, body } = await owner.call('GET', '/console/v1/first-steps');
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  });

  describe('audit log', () => {
    const entries = async (query = ''): Promise<Entry[]> =>
      (await owner.call('GET', `/console/v1/audit-log${query}`)).body.entries as Entry[];

    it('includes details and the names of users and keys', async () => {
      await usersOn(gateway).setRole(owner.user.userId, 'owner', 'cli:asha');
      await owner.call('PATCH', `/console/v1/keys/${customer.keyId}`, { body: { name: 'renamed' } });
      await eventually(async () =>
        expect(await entries('?limit=2')).toMatchObject([
          {
            actor: owner.user.userId,
            actorName: 'Asha',
            action: 'key.set',
            target: customer.keyId,
            targetName: 'renamed',
            details: { name: 'renamed' },
            outcome: 'done',
            errorCode: null,
          },
          { actor: 'operator', actorName: null, action: 'user.set-role', targetName: 'Asha' },
        ]),
      );
    });

    it('includes other names, but ids while a service is down', async () => {
      const [endpoint] = listEndpointsV1.sample.response.endpoints;
      const { template } = showTemplateV1.sample.response;
      const { draft } = getDraftV1.sample.response;
      for (const path of [
        `/console/v1/webhook-endpoints/${endpoint?.id ?? ''}/pause`,
        `/console/v1/templates/${template.id}/edit`,
        `/console/v1/template-drafts/${draft.id}/submit`,
      ])
        expect((await owner.call('POST', path)).status).toBeLessThan(300);
      const named = async () => (await entries('?limit=3')).map(({ action, targetName }) => [action, targetName]);
      expect(await named()).toEqual([
        ['template.submit', `${draft.name} (${draft.language})`],
        ['template.edit', `${template.name} (${template.language})`],
        ['webhook.pause', endpoint?.url],
      ]);
      const file = listMediaFilesV1.sample.response.media[0];
      expect((await owner.call('DELETE', `/console/v1/media/${file?.id ?? ''}`)).status).toBe(200);
      expect((await owner.call('POST', `/console/v1/jobs/${SAMPLE_JOB.jobId}/pause`)).status).toBe(200);
      expect((await named()).slice(0, 2)).toEqual([
        ['job.pause', 'Order updates, Monday'],
        ['media.delete', file?.fileName],
      ]);
      gateway.fakes.answer(showTemplateV1, () => {
        throw new AppError('UNAVAILABLE');
      });
      expect((await entries('?limit=5')).map(({ action, targetName }) => [action, targetName])[3]).toEqual([
        'template.edit',
        null,
      ]);
    });

    it('limits concurrent name lookups and skips hanging services', async () => {
      const target = (number: number) => `tpl_01jd${String(number).padStart(22, '0')}`;
      for (let number = 0; number < 70; number += 1)
        await recordIntent(gateway.database.dataSource, {
          actor: 'test',
          action: 'template.edit',
          accountId: customer.accountId,
          target: target(number),
        });
      let atATime = 0;
      let most = 0;
      gateway.fakes.answer(getDraftV1, async () => {
        most = Math.max(most, (atATime += 1));
        await new Promise((resolve) => setImmediate(resolve));
        atATime -= 1;
        return getDraftV1.sample.response;
      });
      const named = (await entries('?limit=70')).filter(({ targetName }) => targetName !== null);
      expect([named.length, gateway.fakes.of(getDraftV1).length]).toEqual([50, 50]);
      expect(most).toBeLessThanOrEqual(4);
      gateway.fakes.reset();
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      gateway.fakes.answer(getDraftV1, () => released.then(() => getDraftV1.sample.response));
      expect((await entries('?limit=70')).map(({ targetName }) => targetName)).toEqual(Array(70).fill(null));
      release();
      // By then the started lookups have completed, and no others are started.
      expect((await owner.call('GET', '/console/v1/account')).status).toBe(200);
      expect(gateway.fakes.of(getDraftV1).length).toBeLessThanOrEqual(4);
    });

    it('serves each entry by its id', async () => {
      await owner.call('PATCH', `/console/v1/keys/${customer.keyId}`, { body: { name: 'linked' } });
      const [newest] = await entries('?limit=1');
      const show = (id: string, by = owner) => by.call('GET', `/console/v1/audit-log/${id}`);
      expect((await show(newest?.id ?? '')).body).toEqual({ success: true, entry: newest });
      const stranger = await signedIn(gateway, (await gateway.customer()).accountId);
      for (const answer of [await show(newest?.id ?? '', stranger), await show(newId('aud')), await show('x')])
        expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    });

    it('includes drafts and samples when filtered by template', async () => {
      await owner.call('DELETE', `/console/v1/template-drafts/${newId('tpl')}`);
      const actions = async (query: string) => (await entries(query)).map(({ action }) => action);
      expect(await actions('?action=template')).toEqual(['template-draft.delete']);
      expect(await actions('?action=template-draft')).toEqual(['template-draft.delete']);
      expect(await actions('?action=template-d')).toEqual([]);
    });

    it('filters by action, actor, target, outcome and time', async () => {
      const from = new Date();
      await owner.call('PATCH', `/console/v1/keys/${customer.keyId}`, { body: { name: 'a' } });
      await owner.call('POST', `/console/v1/keys/${customer.keyId}/revoke`);
      const actions = async (query: string) => (await entries(query)).map(({ action }) => action);
      expect(await actions('?action=key')).toEqual(['key.revoke', 'key.set', 'key.create']);
      expect(await actions('?action=key.set')).toEqual(['key.set']);
      expect(await actions(`?actor=${owner.user.userId}`)).toEqual(['key.revoke', 'key.set', 'user.sign-in']);
      expect(await actions(`?target=${customer.keyId}&outcome=done`)).toHaveLength(3);
      expect(await actions('?outcome=refused')).toEqual([]);
      expect(await actions(`?since=${from.toISOString()}`)).toEqual(['key.revoke', 'key.set']);
      expect(await actions(`?until=${from.toISOString()}&action=key`)).toEqual(['key.create']);
      expect(await actions('?action=ke%25')).toEqual([]);
      for (const query of ['?outcome=lost', '?since=yesterday', '?action=%00'])
        expect((await owner.call('GET', `/console/v1/audit-log${query}`)).status).toBeGreaterThanOrEqual(400);
    });

    it('paginates with a filter', async () => {
      for (const name of ['a', 'b', 'c'])
        await owner.call('PATCH', `/console/v1/keys/${customer.keyId}`, { body: { name } });
      const names: unknown[] = [];
      for (let cursor: unknown = ''; cursor !== null; ) {
        const { body } = await owner.call(
          'GET',
          `/console/v1/audit-log?action=key.set&limit=2${cursor ? `&cursor=${String(cursor)}` : ''}`,
        );
        names.push(...(body.entries as { details: { name: string } }[]).map(({ details }) => details.name));
        cursor = body.nextCursor;
      }
      expect(names).toEqual(['c', 'b', 'a']);
    });

    it("hides the operator's reason for a suspension", async () => {
      await gateway.services.accounts.suspendAccount(customer.accountId, 'has not paid', 'cli:asha');
      await gateway.services.accounts.resumeAccount(customer.accountId, 'cli:asha');
      const [, suspended] = await entries('?action=account');
      expect(suspended).toMatchObject({ action: 'account.suspend', actor: 'operator' });
      expect(suspended?.details).toEqual({});
    });
  });
});
