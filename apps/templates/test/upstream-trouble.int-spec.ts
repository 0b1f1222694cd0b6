import { randomBytes } from 'node:crypto';
import { newId } from '@switchboard/contracts';
import { SecretBox } from '@switchboard/platform';
import { eventually } from '@switchboard/testing';
import { tokenPlace } from '../src/upstream/token-place';
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
  ['rejects the token', { status: 401, body: { error: { message: 'Invalid OAuth access token', code: 190 } } }],
  ['throttles', { status: 400, body: { error: { message: 'too many calls', code: 80008 } } }],
  ['returns an invalid response', { status: 500, body: {} }],
])('keeps the templates when the upstream platform %s on a later page', async (_case, trouble) => {
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
});

it('does not restore an old status from a delayed response', async () => {
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

it('syncs each account once with two processes', async () => {
  const accounts = Array.from({ length: 20 }, (_, index) => ({
    accountId: newId('acc'),
    wabaId: `waba-many-${index}`,
  }));
  for (const { wabaId } of accounts) templates.upstream.templates.set(wabaId, [upstreamTemplate('one')]);
  await Promise.all(accounts.map(({ accountId, wabaId }) => templates.announce(accountId, wabaId)));
  await eventually(async () => {
    for (const { accountId } of accounts) expect((await templates.list(accountId)).length).toBe(1);
  });
  expect(accounts.map(({ wabaId }) => callsOf(wabaId).length)).toEqual(accounts.map(() => 1));
});

it('fails only the business whose token cannot be decrypted', async () => {
  const wabaId = newId('num');
  templates.upstream.templates.set(wabaId, [upstreamTemplate('kept')]);
  const accountId = await templates.addAccount(wabaId);
  const ofAnotherKey = new SecretBox({ ENCRYPTION_KEY: randomBytes(32).toString('base64') });
  const sealed = ofAnotherKey.seal('EAAG', tokenPlace({ accountId, wabaId }));
  await templates.dataSource.query(
    'UPDATE upstream_accounts SET sealed_access_token = $2, next_sync_at = now() WHERE account_id = $1',
    [accountId, sealed],
  );
  await eventually(async () =>
    expect(
      await templates.dataSource.query(
        'SELECT failures, problem, next_sync_at > now() AS waits FROM upstream_accounts WHERE account_id = $1',
        [accountId],
      ),
    ).toMatchObject([{ failures: 1, problem: expect.stringContaining('cannot be decrypted') as string, waits: true }]),
  );
  expect((await templates.list(accountId)).map(({ name }) => name)).toEqual(['kept']);
  templates.upstream.templates.set('waba-beside', [upstreamTemplate('beside')]);
  expect((await templates.list(await templates.addAccount('waba-beside'))).map(({ name }) => name)).toEqual(['beside']);
});
