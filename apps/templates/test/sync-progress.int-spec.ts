import { getSyncV1, newId, requestSyncV1, type TemplateSyncRecord } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningTemplates, startTemplates, syncedAt, sealedToken } from './support/start-templates';
import { upstreamTemplate } from './support/upstream';

let templates: RunningTemplates;
beforeAll(async () => {
  templates = await startTemplates();
});
afterAll(() => templates.stop());
afterEach(() => {
  templates.upstream.intercept = () => Promise.resolve(undefined);
  templates.upstream.refuse = () => undefined;
});

const request = async (accountId: string) => (await templates.gateway.request(requestSyncV1, { accountId })).businesses;
const progress = async (accountId: string): Promise<Partial<TemplateSyncRecord>[]> =>
  (await templates.gateway.request(getSyncV1, { accountId })).businesses;
const callsOf = (wabaId: string) =>
  templates.upstream.received.filter(({ path }) => path.includes(`/${wabaId}/`)).length;
const five = () => ['a', 'b', 'c', 'd', 'e'].map((name) => upstreamTemplate(name));

it('shows a requested sync from start to end', async () => {
  templates.upstream.templates.set('waba-progress', five());
  const accountId = await templates.addAccount('waba-progress');
  expect(await progress(accountId)).toMatchObject([
    { wabaId: 'waba-progress', state: 'done', pagesRead: 3, templatesRead: 5, requestedAt: null, problem: null },
  ]);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  templates.upstream.intercept = async ({ path }) => {
    if (path.includes('after=')) await held;
    return undefined;
  };
  expect(await request(accountId)).toMatchObject([
    { state: expect.stringMatching(/waiting|reading/), requestedAt: expect.any(String) },
  ]);
  await eventually(async () =>
    expect(await progress(accountId)).toMatchObject([{ state: 'reading', pagesRead: 1, templatesRead: 2 }]),
  );
  release();
  await eventually(async () =>
    expect(await progress(accountId)).toMatchObject([{ state: 'done', pagesRead: 3, templatesRead: 5 }]),
  );
});

it('shows why a sync failed until one succeeds', async () => {
  const accountId = await templates.addAccount('waba-failing');
  templates.upstream.refuse = () => ({
    status: 401,
    body: { error: { message: 'Invalid OAuth access token', code: 190 } },
  });
  await request(accountId);
  await eventually(async () =>
    expect(await progress(accountId)).toMatchObject([{ state: 'failed', problem: 'Access token expired or invalid' }]),
  );
  templates.upstream.refuse = () => undefined;
  await request(accountId);
  await eventually(async () => expect(await progress(accountId)).toMatchObject([{ state: 'done', problem: null }]));
});

it('pauses all syncs of a throttled business, longer each time', async () => {
  const accounts = [await templates.addAccount('waba-throttled'), await templates.addAccount('waba-throttled')];
  templates.upstream.refuse = ({ path }) =>
    path.includes('waba-throttled') ? { status: 400, body: { error: { message: 'limit', code: 80007 } } } : undefined;
  const restOf = async () => {
    const [row] = await templates.dataSource.query<{ seconds: number }[]>(
      "SELECT extract(epoch FROM max(rest_until) - now())::int AS seconds FROM upstream_accounts WHERE waba_id = 'waba-throttled'",
    );
    return row?.seconds ?? 0;
  };
  const calls = callsOf('waba-throttled');
  await request(accounts[0] ?? '');
  await eventually(async () => expect(await restOf()).toBeGreaterThan(50));
  const tried = callsOf('waba-throttled');
  expect(tried).toBe(calls + 1);
  await request(accounts[1] ?? '');
  await templates.callback('waba-throttled', { event: 'APPROVED' });
  const other = await templates.addAccount('waba-unthrottled');
  await request(other);
  await eventually(async () =>
    expect(await progress(other)).toMatchObject([{ state: 'done', requestedAt: expect.any(String) }]),
  );
  expect(callsOf('waba-throttled')).toBe(tried);

  await templates.dataSource.query(
    'UPDATE upstream_accounts SET rest_until = now(), next_sync_at = now() WHERE account_id = $1',
    [accounts[0]],
  );
  await eventually(async () => expect(await restOf()).toBeGreaterThan(110));
  templates.upstream.refuse = () => undefined;
  await templates.dataSource.query(
    "UPDATE upstream_accounts SET rest_until = now(), next_sync_at = now() WHERE waba_id = 'waba-throttled'",
  );
  for (const accountId of accounts)
    await eventually(async () => expect(await progress(accountId)).toMatchObject([{ state: 'done', problem: null }]));
});

it('uses the latest stored token in any event order', async () => {
  const accountId = newId('acc');
  const token = (text: string, storedAt?: string) =>
    templates.announce(accountId, 'waba-tokens', { sealedAccessToken: sealedToken(text, accountId), storedAt });
  const used = () =>
    templates.upstream.received.filter(({ path }) => path.includes('waba-tokens')).at(-1)?.headers.authorization;
  await token('renewed', '2026-03-02T10:15:04.120381+00:00');
  await eventually(() => expect(used()).toBe('Bearer renewed'));
  await token('old', '2026-03-02T10:15:04.120380+00:00');
  // Queued behind the old token, so the old token has been handled once this account is synced.
  const behind = await templates.addAccount('waba-behind');
  const before = await syncedAt(templates.dataSource, accountId);
  await request(accountId);
  await eventually(async () => expect(await syncedAt(templates.dataSource, accountId)).not.toEqual(before));
  expect([used(), await syncedAt(templates.dataSource, behind)]).toEqual(['Bearer renewed', expect.any(Date)]);
  await token('newest', '2026-03-02T10:15:04.120382+00:00');
  await eventually(() => expect(used()).toBe('Bearer newest'));
});
