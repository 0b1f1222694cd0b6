import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount, newBusiness, type TestAccount, newUser } from './support/account';
import { call } from './support/api';
import { type SignedIn, signIn } from './support/console';
import { done } from './support/installation';
import { control, freshPhone, receivedUpstream, setTemplateStatus } from './support/simulator';
import { type Listener, listenFor } from './support/webhooks';

const nameOf = (beginning: string) => `${beginning}_${randomUUID().replaceAll('-', '')}`;
const BODY = { type: 'BODY', text: 'Your order {{1}} is ready to be fetched.', example: { body_text: [['A-17']] } };
/**
 * Maximum delay until an upstream change takes effect, in milliseconds. On an idle machine it is about 0.1 s, and the
 * test prints it.
 */
const SOON_MS = 10_000;

describe('console templates', () => {
  let account: TestAccount;
  let listener: Listener | undefined;
  let page: SignedIn;
  const ready = nameOf('order_ready');
  let templateId = '';

  beforeAll(async () => {
    account = await newAccount('Templates', { wabaId: await newBusiness() });
    [listener, page] = await Promise.all([listenFor(account.accountId), asRole('admin')]);
    await eventually(async () =>
      expect((await page.call('GET', '/template-sync')).body).toMatchObject({ businesses: [{ state: 'done' }] }),
    );
  }, 90_000);
  afterAll(() => listener?.receiver.close());

  async function asRole(role: 'viewer' | 'admin'): Promise<SignedIn> {
    const { email, password } = await newUser(account.accountId, role);
    return signIn(email, password);
  }

  const send = (name: string) =>
    account.api.sendMessage({
      to: freshPhone(),
      type: 'template',
      template: {
        name,
        language: { code: 'en-US' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'A-17' }] }],
      },
    });
  const told = (name: string) =>
    (listener?.events() ?? []).flatMap((event) =>
      event.event === 'template_status' && event.templateName === name ? [[event.previousStatus, event.status]] : [],
    );
  const draftOf = ({ body }: { body: Record<string, unknown> }) =>
    body['draft'] as { id: string; state: string; templateId: string | null; faults: object[]; problem: string | null };
  const statusOf = async (id: string) =>
    ((await page.call('GET', `/templates/${id}`)).body['template'] as { status?: string } | undefined)?.status;

  /** Submits a draft and waits until the platform has it. @returns the template's id */
  async function submitted(draftId: string): Promise<string> {
    expect(await page.call('POST', `/template-drafts/${draftId}/submit`)).toMatchObject({
      status: 200,
      body: { draft: { state: 'submitting' } },
    });
    return eventually(async () => {
      const draft = draftOf(await page.call('GET', `/template-drafts/${draftId}`));
      expect(draft).toMatchObject({ state: 'submitted', problem: null, templateId: expect.stringMatching(/^\d+$/) });
      return String(draft.templateId);
    });
  }

  it('are validated before submission, field by field', async () => {
    const created = await page.call('POST', '/template-drafts', {
      name: ready,
      language: 'en-US',
      category: 'utility',
      components: [{ type: 'BODY', text: '{{1}} is ready' }],
    });
    expect(created).toMatchObject({
      status: 201,
      body: { draft: { language: 'en_US', category: 'UTILITY', faults: expect.any(Array) } },
    });
    const { id, faults } = draftOf(created);
    expect(faults.length).toBeGreaterThan(0);
    expect(await page.call('POST', `/template-drafts/${id}/submit`)).toMatchObject({
      status: 422,
      body: { code: 'INVALID_VALUE', details: faults },
    });
    await expect(send(ready)).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    expect(await page.call('PATCH', `/template-drafts/${id}`, { components: [BODY] })).toMatchObject({
      status: 200,
      body: { draft: { faults: [] } },
    });
    templateId = await submitted(id);
  });

  it('are reviewed, announced, listed as specified, and sent', async () => {
    await eventually(() => expect(told(ready).map(([, status]) => status)).toEqual(['APPROVED']));
    const { templates } = await account.api.listTemplates({ name: ready, language: 'en-US', category: 'UTILITY' });
    expect(templates).toEqual([
      {
        id: templateId,
        name: ready,
        status: 'APPROVED',
        category: 'UTILITY',
        language: 'en_US',
        components: [{ type: 'BODY', text: BODY.text }],
      },
    ]);
    const { message_id } = await send(ready);
    expect(message_id).toMatch(/^wamid\./);
  });

  it('cannot be created, changed or deleted by the public API', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await call(method, '/templates', {
        apiKey: account.apiKey,
        ...(method !== 'DELETE' && { body: {} }),
      });
      expect([method, status, body['success'], body['code']]).toEqual([method, 405, false, 'METHOD_NOT_ALLOWED']);
    }
  });

  it('are rejected soon after a pause and sent soon after approval', async () => {
    const paused = performance.now();
    await setTemplateStatus(ready, { language: 'en_US', event: 'PAUSED' });
    await eventually(
      () =>
        expect(send(ready)).rejects.toMatchObject({
          status: 400,
          code: 'TEMPLATE_NOT_APPROVED',
          message: 'template not found or not approved',
        }),
      { timeoutMs: SOON_MS },
    );
    const stoppedMs = Math.round(performance.now() - paused);
    const approved = performance.now();
    await setTemplateStatus(ready, { language: 'en_US', event: 'APPROVED' });
    await eventually(async () => expect((await send(ready)).status).toBe('accepted'), { timeoutMs: SOON_MS });
    process.stdout.write(
      `templates: paused, refused after ${stoppedMs} ms; approved, sent after ${Math.round(performance.now() - approved)} ms\n`,
    );
    await eventually(() =>
      expect(told(ready).slice(1)).toEqual([
        ['APPROVED', 'FLAGGED'],
        ['FLAGGED', 'APPROVED'],
      ]),
    );
  });

  it('show why they were rejected and can be edited and resubmitted', async () => {
    const { draft } = (
      await page.call('POST', '/template-drafts', {
        name: nameOf('reject_me'),
        language: 'en_US',
        category: 'UTILITY',
        components: [BODY],
      })
    ).body as { draft: { id: string } };
    const id = await submitted(draft.id);
    await eventually(async () =>
      expect((await page.call('GET', `/templates/${id}`)).body['template']).toMatchObject({
        status: 'REJECTED',
        reason: 'INVALID_FORMAT',
        recommendation: expect.stringContaining('name'),
      }),
    );
    const edit = draftOf(await page.call('POST', `/templates/${id}/edit`));
    await page.call('PATCH', `/template-drafts/${edit.id}`, {
      components: [{ ...BODY, text: 'Your order {{1}} waits for you in the shop.' }],
    });
    expect(await submitted(edit.id)).toBe(id);
    await eventually(async () => {
      const { events } = (await page.call('GET', `/templates/${id}/events?limit=100`)).body as {
        events: { callbackField: string | null; status: string | null; raw: { event?: string } }[];
      };
      expect(events.filter(({ callbackField }) => callbackField !== null).map(({ raw }) => raw.event)).toEqual([
        'REJECTED',
        'REJECTED',
      ]);
      expect(events.map(({ status }) => status)).toContain('REJECTED');
    });
  });

  it('change category immediately, without a status event', async () => {
    const before = told(ready);
    await control('POST', `/templates/${ready}/category`, { language: 'en_US', category: 'MARKETING' });
    await eventually(async () =>
      expect((await account.api.listTemplates({ category: 'MARKETING', name: ready })).templates).toMatchObject([
        { id: templateId, category: 'MARKETING' },
      ]),
    );
    const { events } = (await page.call('GET', `/templates/${templateId}/events`)).body as { events: object[] };
    expect(events).toContainEqual(
      expect.objectContaining({
        callbackField: null,
        previousCategory: 'UTILITY',
        category: 'MARKETING',
        previousStatus: 'APPROVED',
        status: 'APPROVED',
      }),
    );
    expect(told(ready)).toEqual(before);
  });

  it.each([
    ['copies the code', { otp_type: 'COPY_CODE', text: 'Copy code' }],
    [
      'fills it in for its apps',
      {
        otp_type: 'ONE_TAP',
        text: 'Copy code',
        autofill_text: 'Fill in',
        supported_apps: [
          { package_name: 'com.example.one', signature_hash: 'K8a/AINcGX7' },
          { package_name: 'com.example.two', signature_hash: 'L9b+AINcGX8' },
        ],
      },
    ],
  ])("support authentication with the platform's text and the button %s", async (_what, button) => {
    const components = [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 5 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', ...button }] },
    ];
    const name = nameOf('code');
    const { draft } = (
      await page.call('POST', '/template-drafts', {
        name,
        language: 'en_US',
        category: 'AUTHENTICATION',
        components,
        ttlSeconds: 60,
      })
    ).body as { draft: { id: string } };
    const id = await submitted(draft.id);
    await eventually(async () => expect(await statusOf(id)).toBe('APPROVED'));
    const [template] = (await account.api.listTemplates({ name })).templates;
    expect(template?.components).toMatchObject([
      { type: 'BODY', text: expect.stringContaining('{{1}}') },
      { type: 'FOOTER' },
      { type: 'BUTTONS', buttons: [{ type: 'URL' }] },
    ]);
    expect(draftOf(await page.call('POST', `/templates/${id}/edit`))).toMatchObject({ components, faults: [] });
  });

  it('leave the list when deleted and can no longer be sent', async () => {
    expect((await page.call('DELETE', `/templates/${templateId}`)).body).toEqual({
      success: true,
      otherAccounts: expect.any(Number),
    });
    await eventually(async () => expect((await account.api.listTemplates({ name: ready })).templates).toEqual([]));
    const to = freshPhone();
    await eventually(
      () =>
        expect(
          account.api.sendMessage({
            to,
            type: 'template',
            template: {
              name: ready,
              language: { code: 'en_US' },
              components: [{ type: 'body', parameters: [{ type: 'text', text: 'x' }] }],
            },
          }),
        ).rejects.toMatchObject({ status: 400 }),
      { timeoutMs: SOON_MS },
    );
    expect(await receivedUpstream(to)).toEqual([]);
    await eventually(() => expect(told(ready).at(-1)).toEqual(['APPROVED', 'DISABLED']));
  });

  it('are visible to viewers, changed by admins, and refreshed on demand', async () => {
    const viewer = await asRole('viewer');
    expect((await viewer.call('GET', '/templates?limit=2')).body).toMatchObject({
      success: true,
      templates: [{}, {}],
      nextCursor: expect.any(String),
    });
    expect((await viewer.call('POST', '/template-sync')).body).toMatchObject({
      success: false,
      code: 'ROLE_NOT_ALLOWED',
    });
    const synced = await done('templates', 'sync', '--account', account.accountId);
    expect(synced).toMatchObject({ businesses: [{ state: 'done', templatesRead: expect.any(Number), problem: null }] });
    expect(await done('templates', 'list', '--account', account.accountId, '--status', 'REJECTED')).toMatchObject({
      templates: expect.arrayContaining([expect.objectContaining({ status: 'REJECTED', reason: 'INVALID_FORMAT' })]),
    });
    // Runs three operator commands, each in its own process.
  }, 90_000);
});
