import {
  createDraftV1,
  deleteDraftV1,
  deleteTemplateV1,
  editTemplateV1,
  getDraftV1,
  listDraftsV1,
  listTemplateEventsV1,
  newId,
  searchTemplatesV1,
  showTemplateV1,
  submitDraftV1,
  type TemplateDraftRecord,
  updateDraftV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningTemplates, startTemplates } from './support/start-templates';
import { refusal, upstreamTemplate } from './support/upstream';

let templates: RunningTemplates;
beforeAll(async () => {
  templates = await startTemplates();
});
afterAll(() => templates.stop());
afterEach(() => {
  templates.upstream.refuse = () => undefined;
});

const BODY = { type: 'BODY', text: 'Your order {{1}} is ready to be fetched.', example: { body_text: [['A-17']] } };
const content = (name: string, more: object = {}) => ({
  name,
  language: 'en-US',
  category: 'utility',
  components: [BODY],
  ...more,
});
const ask: RunningTemplates['gateway']['request'] = (command, request) => templates.gateway.request(command, request);
const create = async (accountId: string, name: string, more: object = {}) =>
  (await ask(createDraftV1, { accountId, ...content(name, more) })).draft;
const submit = async (accountId: string, draftId: string) => (await ask(submitDraftV1, { accountId, draftId })).draft;
const settled = (accountId: string, draftId: string, state: string): Promise<TemplateDraftRecord> =>
  eventually(async () => {
    const { draft } = await ask(getDraftV1, { accountId, draftId });
    expect(draft.state).toBe(state);
    return draft;
  });
const show = async (accountId: string, templateId: string) =>
  (await ask(showTemplateV1, { accountId, templateId })).template;

/** Creates and submits a template. */
async function submitted(accountId: string, name: string, more: object = {}): Promise<string> {
  const { id } = await create(accountId, name, more);
  await submit(accountId, id);
  const { templateId } = await settled(accountId, id, 'submitted');
  return templateId ?? '';
}

it('completes, submits, reviews and reports a draft', async () => {
  const accountId = await templates.addAccount('waba-drafts');
  const draft = await create(accountId, 'Order Ready', { components: [{ type: 'body', text: '{{1}} is ready' }] });
  expect(draft).toMatchObject({
    kind: 'create',
    state: 'draft',
    wabaId: 'waba-drafts',
    language: 'en_US',
    category: 'UTILITY',
    templateId: null,
  });
  expect(draft.faults.map(({ field }) => field)).toEqual(['name', 'body.text', 'body.text', 'body.example.body_text']);
  const refused = await submit(accountId, draft.id).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'INVALID_VALUE', details: draft.faults });

  expect((await ask(updateDraftV1, { accountId, draftId: draft.id, ttlSeconds: 90 })).draft.ttlSeconds).toBe(90);
  const { draft: mended } = await ask(updateDraftV1, {
    accountId,
    draftId: draft.id,
    name: 'order_ready',
    components: [BODY],
    ttlSeconds: 0,
  });
  expect(mended.faults).toEqual([]);
  expect(await submit(accountId, draft.id)).toMatchObject({ state: 'submitting', faults: [] });
  const { templateId } = await settled(accountId, draft.id, 'submitted');
  const [sent] = templates.upstream.received.filter(
    ({ method, path }) => method === 'POST' && path.includes('waba-drafts'),
  );
  expect(JSON.parse(sent?.body.toString() ?? '')).toEqual({
    name: 'order_ready',
    language: 'en_US',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: [BODY],
  });
  await eventually(async () =>
    expect(await show(accountId, templateId ?? '')).toMatchObject({
      name: 'order_ready',
      status: 'PENDING',
      components: [BODY],
    }),
  );

  templates.upstream.templates.get('waba-drafts')![0]!.status = 'APPROVED';
  await templates.callback('waba-drafts', { event: 'APPROVED', message_template_id: Number(templateId) });
  await eventually(async () =>
    expect((await templates.list(accountId)).map(({ name }) => name)).toEqual(['order_ready']),
  );
  const { events } = await ask(listTemplateEventsV1, { accountId, templateId: templateId ?? '', limit: 20 });
  expect(events.map(({ callbackField, status, upstreamStatus }) => [callbackField, status, upstreamStatus])).toEqual([
    [null, 'APPROVED', 'APPROVED'],
    ['message_template_status_update', null, null],
    [null, 'PENDING', 'PENDING'],
  ]);
  expect(events[1]?.raw).toEqual({ event: 'APPROVED', message_template_id: Number(templateId) });
});

it('shows why a template was rejected and accepts a resubmission', async () => {
  const accountId = await templates.addAccount('waba-edit');
  const templateId = await submitted(accountId, 'order_edit');
  Object.assign(templates.upstream.templates.get('waba-edit')![0]!, {
    status: 'REJECTED',
    rejected_reason: 'INVALID_FORMAT',
  });
  const info = {
    reason: 'Your template has parameters placed next to each other.',
    recommendation: 'Separate parameters with descriptive text.',
  };
  await templates.callback('waba-edit', {
    event: 'REJECTED',
    message_template_id: Number(templateId),
    reason: 'INVALID_FORMAT',
    rejection_info: info,
  });
  await eventually(async () =>
    expect(await show(accountId, templateId)).toMatchObject({
      status: 'REJECTED',
      reason: 'INVALID_FORMAT',
      recommendation: info.recommendation,
    }),
  );

  const { draft } = await ask(editTemplateV1, { accountId, templateId });
  expect(draft).toMatchObject({ kind: 'edit', templateId, name: 'order_edit', components: [BODY], state: 'draft' });
  expect((await ask(editTemplateV1, { accountId, templateId })).draft.id).toBe(draft.id);
  expect(await show(accountId, templateId)).toMatchObject({ draftId: draft.id });
  await expect(submit(accountId, draft.id)).rejects.toMatchObject({
    details: [{ field: 'components', message: 'nothing is changed' }],
  });
  await expect(ask(updateDraftV1, { accountId, draftId: draft.id, name: 'other' })).rejects.toMatchObject({
    code: 'INVALID_VALUE',
  });

  const changed = { ...BODY, text: 'Your order {{1}} waits for you in the shop.' };
  await ask(updateDraftV1, { accountId, draftId: draft.id, components: [changed] });
  await submit(accountId, draft.id);
  await settled(accountId, draft.id, 'submitted');
  await eventually(async () =>
    expect(await show(accountId, templateId)).toMatchObject({
      status: 'PENDING',
      components: [changed],
      reason: null,
      recommendation: null,
      draftId: null,
    }),
  );
  expect(templates.upstream.changes().filter((change) => change === `POST /${templateId}`)).toHaveLength(1);
});

it('rejects edits under review, after deletion or to the category', async () => {
  const accountId = await templates.addAccount('waba-rules');
  const [reviewed, approved] = [upstreamTemplate('reviewed', { status: 'PENDING' }), upstreamTemplate('approved')];
  templates.upstream.templates.set('waba-rules', [reviewed, approved]);
  await templates.callback('waba-rules');
  await eventually(async () => expect((await templates.list(accountId)).length).toBe(1));
  const edit = async (templateId: string, change: object) => {
    const { draft } = await ask(editTemplateV1, { accountId, templateId });
    await ask(updateDraftV1, { accountId, draftId: draft.id, ...change });
    return submit(accountId, draft.id);
  };
  await expect(edit(reviewed.id, { components: [BODY] })).rejects.toMatchObject({
    details: [{ field: 'templateId', message: expect.stringContaining('PENDING') }],
  });
  await expect(edit(approved.id, { category: 'MARKETING', components: [BODY] })).rejects.toMatchObject({
    details: [{ field: 'category', message: expect.any(String) }],
  });
  await expect(ask(editTemplateV1, { accountId, templateId: '99' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('keeps the reason of a rejected submission for its correction', async () => {
  const accountId = await templates.addAccount('waba-refused');
  templates.upstream.refuse = ({ method }) =>
    method === 'POST' ? refusal(2388072, 'The message body is not as it should be.') : undefined;
  const { id } = await create(accountId, 'order_refused');
  await submit(accountId, id);
  expect(await settled(accountId, id, 'refused')).toMatchObject({
    problem: 'The message body is not as it should be.',
    templateId: null,
  });
  templates.upstream.refuse = () => undefined;
  expect((await ask(updateDraftV1, { accountId, draftId: id, category: 'MARKETING' })).draft).toMatchObject({
    state: 'draft',
    problem: null,
  });
  await submit(accountId, id);
  await settled(accountId, id, 'submitted');
  await expect(ask(updateDraftV1, { accountId, draftId: id, category: 'UTILITY' })).rejects.toMatchObject({
    code: 'INVALID_VALUE',
  });
});

it('rejects a duplicate name and language in drafts, templates and upstream', async () => {
  const accountId = await templates.addAccount('waba-names');
  const { id } = await create(accountId, 'order_named');
  await expect(create(accountId, 'order_named')).rejects.toMatchObject({
    code: 'INVALID_VALUE',
    details: [{ field: 'name', message: expect.any(String) }],
  });
  const { id: german } = await create(accountId, 'order_named', { language: 'de' });
  await expect(ask(updateDraftV1, { accountId, draftId: german, language: 'en_US' })).rejects.toMatchObject({
    code: 'INVALID_VALUE',
  });
  await submit(accountId, id);
  const { templateId } = await settled(accountId, id, 'submitted');
  await eventually(async () => expect(await show(accountId, templateId ?? '')).toBeDefined());
  const { id: again } = await create(accountId, 'order_named');
  await expect(submit(accountId, again)).rejects.toMatchObject({
    details: [{ field: 'name', message: expect.any(String) }],
  });
  // Created outside this system and not synced yet.
  templates.upstream.templates.get('waba-names')!.push(upstreamTemplate('made_elsewhere', { components: [BODY] }));
  const { id: late } = await create(accountId, 'made_elsewhere');
  await submit(accountId, late);
  expect((await settled(accountId, late, 'refused')).problem).toBe(
    'There is already English content for this template.',
  );
});

it('counts the other accounts that lose a deleted template', async () => {
  const shared = upstreamTemplate('shared');
  templates.upstream.templates.set('waba-shared', [shared]);
  const [accountId = ''] = [await templates.addAccount('waba-shared'), await templates.addAccount('waba-shared')];
  const { template } = await ask(showTemplateV1, { accountId, templateId: shared.id });
  expect(template.otherAccounts).toBe(1);
  const deleted = await ask(deleteTemplateV1, { accountId, templateId: shared.id });
  expect(deleted).toEqual({ templateId: shared.id, otherAccounts: 1 });
});

it('deletes and reports a template, even if it is already missing upstream', async () => {
  const accountId = await templates.addAccount('waba-delete');
  const [gone, kept] = [upstreamTemplate('gone'), upstreamTemplate('gone', { language: 'de' })];
  templates.upstream.templates.set('waba-delete', [gone, kept]);
  await templates.callback('waba-delete');
  await eventually(async () => expect((await templates.list(accountId)).length).toBe(2));
  const left = { templateId: gone.id, otherAccounts: 0 };
  expect(await ask(deleteTemplateV1, { accountId, templateId: gone.id })).toEqual(left);
  await eventually(async () =>
    expect((await templates.list(accountId)).map(({ language }) => language)).toEqual(['de']),
  );
  await eventually(() =>
    expect(
      templates.statusChanges.filter((change) => change.accountId === accountId).map(({ status }) => status),
    ).toEqual(['APPROVED', 'APPROVED', 'DISABLED']),
  );
  await expect(ask(deleteTemplateV1, { accountId, templateId: gone.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await ask(listTemplateEventsV1, { accountId, templateId: gone.id, limit: 1 })).events).toMatchObject([
    { previousStatus: 'APPROVED', status: 'DISABLED', upstreamStatus: null },
  ]);

  templates.upstream.templates.set('waba-delete', []);
  expect(await ask(deleteTemplateV1, { accountId, templateId: kept.id })).toEqual({ ...left, templateId: kept.id });
  await eventually(async () => expect(await templates.list(accountId)).toEqual([]));
});

it('reports a deletion that is rejected or gets no response', async () => {
  const accountId = await templates.addAccount('waba-undeletable');
  const template = upstreamTemplate('undeletable', { status: 'DISABLED' });
  templates.upstream.templates.set('waba-undeletable', [template]);
  await templates.callback('waba-undeletable');
  await eventually(async () => expect(await show(accountId, template.id)).toMatchObject({ status: 'DISABLED' }));
  const refuseWith = (answer: { status: number; body: object }) => {
    templates.upstream.refuse = ({ method }) => (method === 'DELETE' ? answer : undefined);
    return expect(ask(deleteTemplateV1, { accountId, templateId: template.id })).rejects;
  };
  await refuseWith(refusal(2388039, 'A disabled template cannot be deleted.')).toMatchObject({
    code: 'INVALID_VALUE',
    message: expect.stringContaining('A disabled template'),
  });
  await refuseWith({ status: 400, body: { error: { message: 'limit', code: 80007 } } }).toMatchObject({
    code: 'UPSTREAM_THROTTLED',
    retryAfterSeconds: 60,
  });
  await refuseWith({ status: 401, body: { error: { message: 'expired', code: 190 } } }).toMatchObject({
    code: 'UPSTREAM_ERROR',
  });
  await refuseWith({ status: 500, body: {} }).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
});

it('pages through drafts and templates of one account only', async () => {
  const accountId = await templates.addAccount('waba-pages');
  const drafts = [];
  for (const name of ['a', 'b', 'c']) drafts.push((await create(accountId, `draft_${name}`)).id);
  const first = await ask(listDraftsV1, { accountId, limit: 2 });
  expect([first.drafts.map(({ id }) => id), first.nextCursor]).toEqual([[drafts[2], drafts[1]], drafts[1]]);
  expect(await ask(listDraftsV1, { accountId, limit: 2, cursor: drafts[1] })).toMatchObject({
    drafts: [{ id: drafts[0] }],
    nextCursor: null,
  });
  expect((await ask(listDraftsV1, { accountId, limit: 2, state: 'submitted' })).drafts).toEqual([]);

  templates.upstream.templates.set('waba-pages', [
    upstreamTemplate('b', { status: 'REJECTED' }),
    upstreamTemplate('a'),
    upstreamTemplate('b', { language: 'de' }),
  ]);
  await templates.callback('waba-pages');
  const names = async (more: object) => {
    const { templates: found, nextCursor } = await ask(searchTemplatesV1, { accountId, limit: 2, ...more });
    return { names: found.map(({ name, language }) => `${name} ${language}`), nextCursor: nextCursor ?? undefined };
  };
  const page = await eventually(async () => {
    const found = await names({});
    expect(found).toEqual({ names: ['a en_US', 'b de'], nextCursor: expect.any(String) });
    return found;
  });
  expect(await names({ cursor: page.nextCursor })).toEqual({ names: ['b en_US'], nextCursor: undefined });
  expect((await names({ status: 'REJECTED' })).names).toEqual(['b en_US']);
  expect((await names({ name: 'b', language: 'de' })).names).toEqual(['b de']);
  expect((await names({ partOfName: 'b' })).names).toEqual(['b de', 'b en_US']);
  expect((await names({ partOfName: 'bc' })).names).toEqual([]);
  for (const cursor of [
    'x',
    Buffer.from('["a","b"]').toString('base64url'),
    Buffer.from('["a","b","\\u0000"]').toString('base64url'),
  ])
    await expect(names({ cursor })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });

  const other = newId('acc');
  const [draftId, templateId] = [
    drafts[0] ?? '',
    (await ask(searchTemplatesV1, { accountId, limit: 1 })).templates[0]?.id ?? '',
  ];
  // Sequentially: a rejected promise without a handler would abort the run.
  const askedByOther = [
    () => ask(getDraftV1, { accountId: other, draftId }),
    () => ask(submitDraftV1, { accountId: other, draftId }),
    () => ask(deleteDraftV1, { accountId: other, draftId }),
    () => ask(showTemplateV1, { accountId: other, templateId }),
    () => ask(deleteTemplateV1, { accountId: other, templateId }),
    () => ask(editTemplateV1, { accountId: other, templateId }),
  ];
  for (const asked of askedByOther) await expect(asked()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await ask(listDraftsV1, { accountId: other, limit: 9 })).toMatchObject({ drafts: [] });
  await ask(deleteDraftV1, { accountId, draftId });
  await expect(ask(getDraftV1, { accountId, draftId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('requires a business only when the account has several', async () => {
  const accountId = await templates.addAccount('waba-one');
  await templates.announce(accountId, 'waba-two');
  await eventually(() =>
    expect(create(accountId, 'which')).rejects.toMatchObject({
      code: 'MISSING_FIELD',
      message: expect.stringContaining('waba-one or waba-two'),
    }),
  );
  expect(await create(accountId, 'which', { wabaId: 'waba-two' })).toMatchObject({ wabaId: 'waba-two' });
  await expect(create(accountId, 'other', { wabaId: 'waba-drafts' })).rejects.toMatchObject({
    details: [{ field: 'wabaId', message: expect.any(String) }],
  });
  await expect(create(newId('acc'), 'other')).rejects.toMatchObject({
    details: [{ field: 'wabaId', message: expect.any(String) }],
  });
});
