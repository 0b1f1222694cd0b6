import { eventually } from '@switchboard/testing';
import { ACCESS_TOKEN, type RunningTemplates, startTemplates, syncedAt } from './support/start-templates';
import { upstreamTemplate } from './support/upstream';

let templates: RunningTemplates;
beforeAll(async () => {
  templates = await startTemplates({ intervalSeconds: 5 });
});
afterAll(() => templates.stop());

const names = async (accountId: string, filters?: object) =>
  (await templates.list(accountId, filters)).map(({ name, language }) => `${name} ${language}`);

it('syncs all pages for a new account and lists approved templates', async () => {
  templates.upstream.templates.set('waba-1', [
    upstreamTemplate('zebra'),
    upstreamTemplate('order_update', { language: 'hi' }),
    upstreamTemplate('order_update'),
    upstreamTemplate('under_review', { status: 'PENDING' }),
    upstreamTemplate('paused', { status: 'PAUSED' }),
    upstreamTemplate('disabled', { status: 'DISABLED' }),
    upstreamTemplate('refused', { status: 'REJECTED', rejected_reason: 'INVALID_FORMAT' }),
    upstreamTemplate('alpha', { category: 'MARKETING' }),
  ]);
  const accountId = await templates.addAccount('waba-1');
  expect(await names(accountId)).toEqual(['alpha en_US', 'order_update en_US', 'order_update hi', 'zebra en_US']);
  expect(await templates.get(accountId, 'paused')).toMatchObject({ status: 'FLAGGED' });
  const calls = templates.upstream.received.filter(({ path }) => path.includes('/waba-1/'));
  expect(calls.length).toBeGreaterThanOrEqual(4);
  expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${ACCESS_TOKEN}`]));
});

it('returns a template in the format of the specification', async () => {
  const template = upstreamTemplate('whole', {
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example: { header_text: ['Ana'] } },
      { type: 'BODY', text: 'Order {{1}} ships.' },
      { type: 'FOOTER', text: 'Demo' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' }] },
    ],
  });
  templates.upstream.templates.set('waba-shape', [template]);
  const accountId = await templates.addAccount('waba-shape');
  const whole = {
    id: template.id,
    name: 'whole',
    status: 'APPROVED',
    category: 'UTILITY',
    language: 'en_US',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' },
      { type: 'BODY', text: 'Order {{1}} ships.' },
      { type: 'FOOTER', text: 'Demo' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' }] },
    ],
  };
  expect(await templates.list(accountId)).toEqual([whole]);
  expect(JSON.stringify((await templates.list(accountId))[0]?.components)).toBe(JSON.stringify(whole.components));
  expect(await templates.get(accountId, 'whole')).toEqual(whole);
});

it('filters by name, language and category in any format', async () => {
  templates.upstream.templates.set('waba-filter', [
    upstreamTemplate('a'),
    upstreamTemplate('a', { language: 'pt_BR' }),
    upstreamTemplate('b', { category: 'MARKETING' }),
  ]);
  const accountId = await templates.addAccount('waba-filter');
  expect(await names(accountId, { name: 'a' })).toEqual(['a en_US', 'a pt_BR']);
  expect(await names(accountId, { language: 'pt-BR' })).toEqual(['a pt_BR']);
  expect(await names(accountId, { category: 'marketing' })).toEqual(['b en_US']);
  expect(await names(accountId, { name: 'a', category: 'MARKETING' })).toEqual([]);
  expect(await templates.get(accountId, 'a', 'pt-BR')).toMatchObject({ language: 'pt_BR' });
  expect(await templates.get(accountId, 'a', 'de')).toBeNull();
});

it("never returns another account's templates", async () => {
  templates.upstream.templates.set('waba-mine', [upstreamTemplate('mine')]);
  templates.upstream.templates.set('waba-theirs', [upstreamTemplate('theirs')]);
  const mine = await templates.addAccount('waba-mine');
  const theirs = await templates.addAccount('waba-theirs');
  expect(await names(mine)).toEqual(['mine en_US']);
  expect(await names(theirs)).toEqual(['theirs en_US']);
  expect(await templates.get(mine, 'theirs')).toBeNull();
});

it('stores the templates of a shared business for each account', async () => {
  templates.upstream.templates.set('waba-shared', [upstreamTemplate('shared')]);
  const accounts = [await templates.addAccount('waba-shared'), await templates.addAccount('waba-shared')];
  for (const accountId of accounts) expect(await names(accountId)).toEqual(['shared en_US']);
});

it('stores a template with characters that PostgreSQL rejects', async () => {
  templates.upstream.templates.set('waba-odd', [
    upstreamTemplate('odd', { components: [{ type: 'BODY', text: 'a\u0000b\ud800c' }] }),
    upstreamTemplate('plain'),
  ]);
  const accountId = await templates.addAccount('waba-odd');
  expect(await names(accountId)).toEqual(['odd en_US', 'plain en_US']);
});

it('does not update unchanged rows', async () => {
  templates.upstream.templates.set('waba-same', [upstreamTemplate('same')]);
  const accountId = await templates.addAccount('waba-same');
  const versionOf = () =>
    templates.dataSource.query<object[]>('SELECT xmin, updated_at FROM templates WHERE account_id = $1', [accountId]);
  const [version, before] = [await versionOf(), await syncedAt(templates.dataSource, accountId)];
  await templates.callback('waba-same');
  await eventually(async () => expect(await syncedAt(templates.dataSource, accountId)).not.toEqual(before));
  expect(await versionOf()).toEqual(version);
});

it('finds changes without a callback in the periodic sync', async () => {
  templates.upstream.templates.set('waba-schedule', [upstreamTemplate('first')]);
  const accountId = await templates.addAccount('waba-schedule');
  templates.upstream.templates.set('waba-schedule', [upstreamTemplate('first'), upstreamTemplate('second')]);
  await eventually(async () => expect(await names(accountId)).toEqual(['first en_US', 'second en_US']), {
    timeoutMs: 15_000,
  });
});

it('lists any number of approved templates', async () => {
  const many = Array.from({ length: 101 }, (_, index) => upstreamTemplate(`many_${index}`));
  templates.upstream.templates.set('waba-many', many);
  const accountId = await templates.addAccount('waba-many');
  expect(await names(accountId)).toHaveLength(101);
});
