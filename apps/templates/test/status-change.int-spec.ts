import { newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningTemplates, startTemplates, syncedAt } from './support/start-templates';
import { upstreamTemplate } from './support/upstream';

let templates: RunningTemplates;
beforeAll(async () => {
  templates = await startTemplates();
});
afterAll(() => templates.stop());

const changesOf = (accountId: string) =>
  templates.statusChanges
    .filter((change) => change.accountId === accountId)
    .map(({ templateName, previousStatus, status, reason }) => [templateName, previousStatus, status, reason]);

/** Publishes a callback and waits until a later sync has been applied. */
async function callbackAndReading(accountId: string, wabaId: string, value: object = {}): Promise<void> {
  const before = await syncedAt(templates.dataSource, accountId);
  await templates.callback(wabaId, value);
  await eventually(async () => expect(await syncedAt(templates.dataSource, accountId)).not.toEqual(before));
}

it('syncs after a callback and publishes the result', async () => {
  const template = upstreamTemplate('order_update', { status: 'PENDING' });
  templates.upstream.templates.set('waba-1', [template]);
  const accountId = await templates.addAccount('waba-1');
  template.status = 'REJECTED';
  template.rejected_reason = 'INVALID_FORMAT';
  await templates.callback('waba-1', { event: 'APPROVED', message_template_id: Number(template.id) });
  await eventually(() =>
    expect(changesOf(accountId)).toEqual([['order_update', 'PENDING', 'REJECTED', 'INVALID_FORMAT']]),
  );
  expect(templates.statusChanges.at(-1)).toMatchObject({
    templateId: template.id,
    language: 'en_US',
    category: 'UTILITY',
  });
  expect(await templates.list(accountId)).toEqual([]);
});

it('stores a repeated callback once, with the status history', async () => {
  const template = upstreamTemplate('history', { status: 'PENDING' });
  templates.upstream.templates.set('waba-history', [template]);
  const accountId = await templates.addAccount('waba-history');
  template.status = 'APPROVED';
  const value = {
    event: 'APPROVED',
    message_template_id: Number(template.id),
    reason: 'NONE',
    unknown_field: 'a\u0000b',
  };
  const messageId = newId('evt');
  for (let deliveries = 0; deliveries < 3; deliveries += 1) await templates.callback('waba-history', value, messageId);
  await eventually(() => expect(changesOf(accountId)).toEqual([['history', 'PENDING', 'APPROVED', null]]));
  const raw = { ...value, unknown_field: 'a\ufffdb' };
  expect(
    await templates.dataSource.query(
      'SELECT raw FROM template_events WHERE account_id = $1 AND callback_field IS NOT NULL',
      [accountId],
    ),
  ).toEqual([{ raw }]);
  await eventually(async () => {
    const events = await templates.dataSource.query<object[]>(
      'SELECT template_id, callback_field, previous_status, status, reason FROM template_events WHERE account_id = $1 ORDER BY id',
      [accountId],
    );
    const common = { template_id: template.id, reason: null };
    expect(events).toEqual([
      { ...common, callback_field: null, previous_status: null, status: 'PENDING' },
      { ...common, callback_field: 'message_template_status_update', previous_status: null, status: null },
      { ...common, callback_field: null, previous_status: 'PENDING', status: 'APPROVED' },
    ]);
  });
});

it("publishes the callback's reason for a paused or disabled template", async () => {
  const template = upstreamTemplate('tired');
  templates.upstream.templates.set('waba-reason', [template]);
  const accountId = await templates.addAccount('waba-reason');
  const id = Number(template.id);
  template.status = 'PAUSED';
  await callbackAndReading(accountId, 'waba-reason', {
    event: 'PAUSED',
    message_template_id: id,
    reason: 'NONE',
    other_info: { title: 'FIRST_PAUSE', description: 'Paused.' },
  });
  template.status = 'DISABLED';
  await callbackAndReading(accountId, 'waba-reason', {
    event: 'DISABLED',
    message_template_id: id,
    reason: 'ABUSIVE_CONTENT',
  });
  template.status = 'APPROVED';
  await callbackAndReading(accountId, 'waba-reason', { event: 'REINSTATED', message_template_id: id, reason: null });
  await eventually(() =>
    expect(changesOf(accountId)).toEqual([
      ['tired', 'APPROVED', 'FLAGGED', 'FIRST_PAUSE'],
      ['tired', 'FLAGGED', 'DISABLED', 'ABUSIVE_CONTENT'],
      ['tired', 'DISABLED', 'APPROVED', null],
    ]),
  );
});

it('reports a status a second time once its reason arrives', async () => {
  const template = upstreamTemplate('explained_late');
  templates.upstream.templates.set('waba-late', [template]);
  const accountId = await templates.addAccount('waba-late');
  template.status = 'PAUSED';
  await callbackAndReading(accountId, 'waba-late');
  const paused = { event: 'PAUSED', message_template_id: Number(template.id), reason: 'FIRST_PAUSE' };
  await callbackAndReading(accountId, 'waba-late', paused);
  await callbackAndReading(accountId, 'waba-late', { ...paused, reason: 'SECOND_PAUSE' });
  await eventually(() =>
    expect(changesOf(accountId)).toEqual([
      ['explained_late', 'APPROVED', 'FLAGGED', null],
      ['explained_late', 'APPROVED', 'FLAGGED', 'FIRST_PAUSE'],
    ]),
  );
  // Each event needs its own key, or the second would count as a duplicate.
  const own = templates.statusChanges.filter((change) => change.accountId === accountId);
  expect(new Set(own.map(({ timestamp }) => timestamp)).size).toBe(2);
});

it('announces the start and end of a flag once each', async () => {
  const template = upstreamTemplate('warned');
  templates.upstream.templates.set('waba-warned', [template]);
  const accountId = await templates.addAccount('waba-warned');
  const report = (event: string, reason: string | null = null) =>
    callbackAndReading(accountId, 'waba-warned', { event, message_template_id: Number(template.id), reason });
  const sendable = () =>
    templates.statusChanges
      .filter((change) => change.accountId === accountId)
      .map(({ previousStatus, status, reason, sendable: isSendable }) => [previousStatus, status, reason, isSendable]);
  const flagged = ['APPROVED', 'FLAGGED', 'LOW_QUALITY', true];
  await report('FLAGGED', 'LOW_QUALITY');
  await report('FLAGGED', 'LOW_QUALITY');
  await report('APPROVED');
  await report('APPROVED');
  const over = [flagged, ['FLAGGED', 'APPROVED', null, true]];
  await eventually(() => expect(sendable()).toEqual(over));
  await report('FLAGGED');
  await report('FLAGGED', 'LOW_QUALITY');
  await report('REINSTATED');
  const again = [...over, ['APPROVED', 'FLAGGED', null, true], flagged, ['FLAGGED', 'APPROVED', null, true]];
  await eventually(() => expect(sendable()).toEqual(again));
  await report('FLAGGED', 'LOW_QUALITY');
  template.status = 'PAUSED';
  await report('PAUSED', 'FIRST_PAUSE');
  template.status = 'APPROVED';
  await report('APPROVED');
  await report('APPROVED');
  await eventually(() =>
    expect(sendable()).toEqual([
      ...again,
      flagged,
      ['FLAGGED', 'FLAGGED', 'FIRST_PAUSE', false],
      ['FLAGGED', 'APPROVED', null, true],
    ]),
  );
});

it('announces FLAGGED as the previous status after a flag ends', async () => {
  const template = upstreamTemplate('flagged_then_disabled');
  templates.upstream.templates.set('waba-flag', [template]);
  const accountId = await templates.addAccount('waba-flag');
  const id = Number(template.id);
  await callbackAndReading(accountId, 'waba-flag', { event: 'FLAGGED', message_template_id: id, reason: null });
  template.status = 'DISABLED';
  await callbackAndReading(accountId, 'waba-flag', { event: 'DISABLED', message_template_id: id, reason: null });
  await eventually(() =>
    expect(changesOf(accountId)).toEqual([
      ['flagged_then_disabled', 'APPROVED', 'FLAGGED', null],
      ['flagged_then_disabled', 'FLAGGED', 'DISABLED', null],
    ]),
  );
});

it('reports new templates after their review, but no initial ones', async () => {
  templates.upstream.templates.set('waba-new', [upstreamTemplate('there_before')]);
  const accountId = await templates.addAccount('waba-new');
  const created = upstreamTemplate('created', { status: 'PENDING' });
  templates.upstream.templates.set('waba-new', [
    upstreamTemplate('there_before'),
    created,
    upstreamTemplate('approved_at_once'),
  ]);
  templates.upstream.templates.get('waba-new')?.splice(0, 1, upstreamTemplate('renewed'));
  await callbackAndReading(accountId, 'waba-new');
  created.status = 'APPROVED';
  await callbackAndReading(accountId, 'waba-new');
  await eventually(() =>
    expect(changesOf(accountId)).toEqual([
      ['renewed', null, 'APPROVED', null],
      ['approved_at_once', null, 'APPROVED', null],
      ['there_before', 'APPROVED', 'DISABLED', null],
      ['created', 'PENDING', 'APPROVED', null],
    ]),
  );
});

it('removes a missing template and accepts a new one of the same name', async () => {
  templates.upstream.templates.set('waba-gone', [upstreamTemplate('order_update'), upstreamTemplate('stays')]);
  const accountId = await templates.addAccount('waba-gone');
  const successor = upstreamTemplate('order_update', { status: 'PENDING' });
  templates.upstream.templates.set('waba-gone', [successor, upstreamTemplate('stays')]);
  await callbackAndReading(accountId, 'waba-gone');
  expect((await templates.list(accountId)).map(({ name }) => name)).toEqual(['stays']);
  expect(await templates.get(accountId, 'order_update')).toMatchObject({ id: successor.id, status: 'PENDING' });
  await eventually(() => expect(changesOf(accountId)).toContainEqual(['order_update', 'APPROVED', 'DISABLED', null]));
});

it('ignores a callback of an unknown business', async () => {
  const messageId = newId('evt');
  await templates.callback('waba-unknown', { event: 'APPROVED' }, messageId);
  await eventually(async () =>
    expect((await templates.dataSource.query('SELECT 1 FROM inbox WHERE message_id = $1', [messageId])).length).toBe(1),
  );
  expect(await templates.dataSource.query("SELECT 1 FROM template_events WHERE waba_id = 'waba-unknown'")).toEqual([]);
});
