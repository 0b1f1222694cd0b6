import {
  createDraftV1,
  editTemplateV1,
  getDraftV1,
  submitDraftV1,
  type TemplateDraftRecord,
  updateDraftV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningTemplates, startTemplates } from './support/start-templates';
import { upstreamTemplate } from './support/upstream';

let templates: RunningTemplates;
beforeAll(async () => {
  templates = await startTemplates({ replicas: 2 });
});
afterAll(() => templates.stop());
afterEach(() => {
  templates.upstream.intercept = () => Promise.resolve(undefined);
  templates.upstream.refuse = () => undefined;
});

const BODY = { type: 'BODY', text: 'Your order {{1}} is ready to be fetched.', example: { body_text: [['A-17']] } };
const OTHER = { ...BODY, text: 'Your order {{1}} waits for you in the shop.' };
const ask: RunningTemplates['gateway']['request'] = (command, request) => templates.gateway.request(command, request);
const postsOf = (place: string) =>
  templates.upstream.changes().filter((change) => change.startsWith(`POST /${place}`)).length;
const draftOf = async (accountId: string, draftId: string) => (await ask(getDraftV1, { accountId, draftId })).draft;
/** Makes the submission due, so that it counts as lost or is retried. */
const passTime = (draftId: string) =>
  templates.dataSource.query("UPDATE template_drafts SET due_at = now() WHERE id = $1 AND state = 'submitting'", [
    draftId,
  ]);
const waitsBecauseOf = (accountId: string, draftId: string, problem: RegExp) =>
  eventually(async () =>
    expect(await draftOf(accountId, draftId)).toMatchObject({
      state: 'submitting',
      problem: expect.stringMatching(problem),
    }),
  );
/** Passes time only once. Passing it again would end the lease of the attempt in progress. */
async function settled(accountId: string, draftId: string, state: string): Promise<TemplateDraftRecord> {
  await passTime(draftId);
  return eventually(async () => {
    const draft = await draftOf(accountId, draftId);
    expect(draft.state).toBe(state);
    return draft;
  });
}

async function begin(wabaId: string, name: string): Promise<{ accountId: string; draftId: string }> {
  const accountId = await templates.addAccount(wabaId);
  const { draft } = await ask(createDraftV1, {
    accountId,
    name,
    language: 'en_US',
    category: 'UTILITY',
    components: [BODY],
  });
  await ask(submitDraftV1, { accountId, draftId: draft.id });
  return { accountId, draftId: draft.id };
}

/** Executes the next modifying call but holds its response, as if the process never received it. */
function holdAnswer(): { release(): void; isHeld(): boolean } {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let count = 0;
  templates.upstream.intercept = async ({ method }) => {
    if (method === 'POST' && (count += 1) === 1) await held;
    return undefined;
  };
  return { release: () => release(), isHeld: () => count > 0 };
}

it('recognises a template whose process died after the response', async () => {
  const answer = holdAnswer();
  const { accountId, draftId } = await begin('waba-killed', 'order_killed');
  await eventually(() => expect(answer.isHeld()).toBe(true));
  const { templateId } = await settled(accountId, draftId, 'submitted');
  expect([templateId, postsOf('waba-killed')]).toEqual([templates.upstream.templates.get('waba-killed')?.[0]?.id, 1]);
  // The process was only suspended, and its result arrives too late.
  answer.release();
  await eventually(async () =>
    expect((await ask(getDraftV1, { accountId, draftId })).draft).toMatchObject({ state: 'submitted', templateId }),
  );
  expect(templates.upstream.templates.get('waba-killed')).toHaveLength(1);
});

it('does not resubmit after a lost response', async () => {
  templates.upstream.intercept = ({ method }) =>
    Promise.resolve(method === 'POST' ? { status: 502, body: {} } : undefined);
  const { accountId, draftId } = await begin('waba-lost', 'order_lost');
  await waitsBecauseOf(accountId, draftId, /HTTP 502/);
  expect((await settled(accountId, draftId, 'submitted')).templateId).toBe(
    templates.upstream.templates.get('waba-lost')?.[0]?.id,
  );
  expect(postsOf('waba-lost')).toBe(1);
});

it('resubmits a template that never reached the platform', async () => {
  templates.upstream.refuse = ({ method }) => (method === 'POST' ? { status: 502, body: {} } : undefined);
  const { accountId, draftId } = await begin('waba-again', 'order_again');
  await waitsBecauseOf(accountId, draftId, /HTTP 502/);
  templates.upstream.refuse = () => undefined;
  await settled(accountId, draftId, 'submitted');
  expect([postsOf('waba-again'), templates.upstream.templates.get('waba-again')?.length]).toEqual([2, 1]);
});

it('does not adopt another template of the same name', async () => {
  templates.upstream.refuse = ({ method }) => (method === 'POST' ? { status: 502, body: {} } : undefined);
  const { accountId, draftId } = await begin('waba-other', 'order_other');
  await waitsBecauseOf(accountId, draftId, /HTTP 502/);
  templates.upstream.templates.set('waba-other', [upstreamTemplate('order_other', { components: [OTHER] })]);
  expect(await settled(accountId, draftId, 'refused')).toMatchObject({
    templateId: null,
    problem: expect.stringContaining('another template'),
  });
});

it('recognises an edit by its content after a lost response', async () => {
  const template = upstreamTemplate('order_change', { status: 'REJECTED', components: [BODY] });
  templates.upstream.templates.set('waba-change', [template]);
  const accountId = await templates.addAccount('waba-change');
  const { draft } = await ask(editTemplateV1, { accountId, templateId: template.id });
  await ask(updateDraftV1, { accountId, draftId: draft.id, components: [OTHER] });
  templates.upstream.intercept = ({ method }) =>
    Promise.resolve(method === 'POST' ? { status: 502, body: {} } : undefined);
  await ask(submitDraftV1, { accountId, draftId: draft.id });
  await waitsBecauseOf(accountId, draft.id, /HTTP 502/);
  template.status = 'REJECTED';
  await settled(accountId, draft.id, 'submitted');
  expect(postsOf(template.id)).toBe(1);
});

it('waits while throttled or with invalid credentials, then continues', async () => {
  templates.upstream.refuse = ({ method }) =>
    method === 'POST' ? { status: 401, body: { error: { message: 'expired', code: 190 } } } : undefined;
  const { accountId, draftId } = await begin('waba-credentials', 'order_credentials');
  await waitsBecauseOf(accountId, draftId, /Access token/);
  templates.upstream.refuse = ({ method }) =>
    method === 'POST' ? { status: 400, body: { error: { message: 'limit', code: 80007 } } } : undefined;
  await passTime(draftId);
  await waitsBecauseOf(accountId, draftId, /request limit/);
  const posts = postsOf('waba-credentials');
  templates.upstream.refuse = () => undefined;
  // The submission is due, but the business is paused because of throttling.
  await passTime(draftId);
  const { accountId: other, draftId: meanwhile } = await begin('waba-meanwhile', 'order_meanwhile');
  await settled(other, meanwhile, 'submitted');
  expect(postsOf('waba-credentials')).toBe(posts);
  await templates.dataSource.query("UPDATE upstream_accounts SET rest_until = NULL WHERE waba_id = 'waba-credentials'");
  await settled(accountId, draftId, 'submitted');
});
