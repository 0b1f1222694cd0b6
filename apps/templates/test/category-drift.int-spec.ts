import { listTemplateEventsV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningTemplates, startTemplates } from './support/start-templates';
import { upstreamTemplate } from './support/upstream';

let templates: RunningTemplates;
beforeAll(async () => {
  templates = await startTemplates();
});
afterAll(() => templates.stop());

const history = async (accountId: string, templateId: string) =>
  (await templates.gateway.request(listTemplateEventsV1, { accountId, templateId, limit: 20 })).events.filter(
    ({ callbackField }) => callbackField === null,
  );

it('publishes a changed category to template caches, not to customers', async () => {
  const template = upstreamTemplate('drifting');
  templates.upstream.templates.set('waba-drift', [template, upstreamTemplate('steady')]);
  const accountId = await templates.addAccount('waba-drift');
  template.category = 'MARKETING';
  await templates.callback('waba-drift', {
    message_template_id: Number(template.id),
    previous_category: 'UTILITY',
    new_category: 'MARKETING',
  });
  await eventually(async () =>
    expect(await templates.get(accountId, 'drifting')).toMatchObject({ category: 'MARKETING', status: 'APPROVED' }),
  );
  expect(await history(accountId, template.id)).toMatchObject([
    {
      previousStatus: 'APPROVED',
      status: 'APPROVED',
      previousCategory: 'UTILITY',
      category: 'MARKETING',
      raw: { category: 'MARKETING' },
    },
    { previousStatus: null, status: 'APPROVED', previousCategory: null },
  ]);
  await eventually(() =>
    expect(templates.contentChanges.filter((change) => change.accountId === accountId)).toEqual([
      { accountId, templateName: 'drifting' },
    ]),
  );
  expect(templates.statusChanges.filter((change) => change.accountId === accountId)).toEqual([]);
});

it('records every upstream status, even if the published status is equal', async () => {
  const template = upstreamTemplate('paused');
  templates.upstream.templates.set('waba-words', [template]);
  const accountId = await templates.addAccount('waba-words');
  for (const status of ['PAUSED', 'LOCKED', 'APPROVED', 'ARCHIVED', 'LIMIT_EXCEEDED', 'DELETED', 'SOMETHING_NEW']) {
    template.status = status;
    await templates.callback('waba-words', { event: status });
    await eventually(async () =>
      expect((await history(accountId, template.id))[0]).toMatchObject({ upstreamStatus: status }),
    );
  }
  expect(
    (await history(accountId, template.id)).map(({ upstreamStatus, previousStatus, status }) => [
      upstreamStatus,
      previousStatus,
      status,
    ]),
  ).toEqual([
    ['SOMETHING_NEW', 'DISABLED', 'FLAGGED'],
    ['DELETED', 'DISABLED', 'DISABLED'],
    ['LIMIT_EXCEEDED', 'DISABLED', 'DISABLED'],
    ['ARCHIVED', 'APPROVED', 'DISABLED'],
    ['APPROVED', 'FLAGGED', 'APPROVED'],
    ['LOCKED', 'FLAGGED', 'FLAGGED'],
    ['PAUSED', 'APPROVED', 'FLAGGED'],
    ['APPROVED', null, 'APPROVED'],
  ]);
  const told = () =>
    templates.statusChanges
      .filter((change) => change.accountId === accountId)
      .map(({ previousStatus, status }) => `${previousStatus}-${status}`);
  await eventually(() =>
    expect(told()).toEqual(['APPROVED-FLAGGED', 'FLAGGED-APPROVED', 'APPROVED-DISABLED', 'DISABLED-FLAGGED']),
  );
});
