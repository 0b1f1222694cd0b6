import { newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningTemplates, startTemplates, syncedAt } from './support/start-templates';
import { upstreamTemplate } from './support/upstream';

let templates: RunningTemplates;
beforeAll(async () => {
  templates = await startTemplates({ replicas: 2 });
});
afterAll(() => templates.stop());
afterEach(() => {
  templates.upstream.intercept = () => Promise.resolve(undefined);
});

const callsOf = (wabaId: string) => templates.upstream.received.filter(({ path }) => path.includes(`/${wabaId}/`));
const makeDue = (accountId: string) =>
  templates.dataSource.query(
    'UPDATE upstream_accounts SET next_sync_at = now(), rest_until = NULL WHERE account_id = $1',
    [accountId],
  );

it.each([
  ['refuses the token', { status: 401, body: { error: { message: 'Invalid OAuth access token', code: 190 } } }],
  ['throttles', { status: 400, body: { error: { message: 'too many calls', code: 80008 } } }],
  ['answers nonsense', { status: 500, body: {} }],
])(
  'keeps the templates while the upstream platform %s on a later page, and reads them again afterwards',
  async (_case, trouble) => {
    const wabaId = newId('num');
    templates.upstream.templates.set(
      wabaId,
      ['a', 'b', 'c'].map((name) => upstreamTemplate(name)),
    );
    const accountId = await templates.addAccount(wabaId);
    const calls = callsOf(wabaId).length;
    templates.upstream.templates.set(wabaId, [upstreamTemplate('d'), upstreamTemplate('e'), upstreamTemplate('f')]);
    templates.upstream.intercept = ({ path }) => Promise.resolve(path.includes('after=') ? trouble : undefined);
    await templates.callback(wabaId);
    await eventually(() => expect(callsOf(wabaId).length).toBe(calls + 2));
    expect((await templates.list(accountId)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);

    templates.upstream.intercept = () => Promise.resolve(undefined);
    await eventually(async () => {
      await makeDue(accountId);
      expect((await templates.list(accountId)).map(({ name }) => name)).toEqual(['d', 'e', 'f']);
    });
  },
);

it('an answer that was long on its way does not bring an old status back', async () => {
  const template = upstreamTemplate('slow');
  templates.upstream.templates.set('waba-slow', [template]);
  const accountId = await templates.addAccount('waba-slow');
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let calls = 0;
  templates.upstream.intercept = async () => {
    calls += 1;
    if (calls === 1) await held;
    return undefined;
  };
  await templates.callback('waba-slow', { event: 'FIRST' });
  await eventually(() => expect(calls).toBe(1));
  template.status = 'PAUSED';
  await templates.callback('waba-slow', { event: 'PAUSED' });
  await eventually(async () => expect(await templates.get(accountId, 'slow')).toMatchObject({ status: 'FLAGGED' }));
  const taken = await syncedAt(templates.dataSource, accountId);
  release?.();
  await eventually(async () => {
    await makeDue(accountId);
    expect(await syncedAt(templates.dataSource, accountId)).not.toEqual(taken);
  });
  expect(await templates.get(accountId, 'slow')).toMatchObject({ status: 'FLAGGED' });
  expect(
    templates.statusChanges.filter((change) => change.accountId === accountId).map(({ status }) => status),
  ).toEqual(['FLAGGED']);
});

it('two processes share the accounts: each one is read once', async () => {
  const accounts = Array.from({ length: 20 }, (_, index) => ({
    accountId: newId('acc'),
    wabaId: `waba-many-${index}`,
  }));
  for (const { wabaId } of accounts) templates.upstream.templates.set(wabaId, [upstreamTemplate('one')]);
  await Promise.all(accounts.map(({ accountId, wabaId }) => templates.announce(accountId, wabaId)));
  await eventually(async () => {
    for (const { accountId } of accounts) expect(await templates.list(accountId)).toHaveLength(1);
  });
  expect(accounts.map(({ wabaId }) => callsOf(wabaId).length)).toEqual(accounts.map(() => 1));
});
