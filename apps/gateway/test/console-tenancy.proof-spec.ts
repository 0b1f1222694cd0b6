import {
  AppError,
  COMMANDS,
  type CommandContract,
  countDroppedV1,
  createEndpointV1,
  listAccountNoticesV1,
  listBlocksV1,
  listDraftsV1,
  listEventsV1,
  listContactsV1,
  listConversationsV1,
  listJobsV1,
  listMediaFilesV1,
  listMessagesV1,
  listRatesV1,
  listReplaysV1,
  listTemplatesV1,
  newId,
  rotateSecretV1,
  searchTemplatesV1,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { RouteTable, type ServedRoute } from '../src/http/route-table';
import { isAllowed, ROLES } from '../src/request-context/roles';
import { Browser, describedConsole, signedIn, usersOn } from './support/console';
import { SessionsService } from '../src/sessions/sessions.service';
import type { UserRecord } from '../src/users/users.service';
import { FILES } from './support/files';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { testBox } from './support/operator';

const MARK = 'SECRET-OF-B';
/** IDs of account B's objects in other services, which the fakes recognize. The last one is an upstream template ID. */
const IDS_OF_B = [
  newId('ep'),
  newId('evt'),
  newId('rpl'),
  newId('tpl'),
  newId('med'),
  newId('job'),
  newId('num'),
  newId('msg'),
  newId('ct'),
  newId('note'),
  newId('lbl'),
  '1689556908129832',
];
/** Phone number of a contact of B. */
const PHONE_OF_B = '919899999999';
const ASKS = COMMANDS.filter(({ owner }) => owner !== 'gateway');
/** Empty results for A when it filters by an id of B. */
const EMPTY_LISTS: Record<string, object> = {
  [listEventsV1.name]: { events: [], nextCursor: null },
  [listDraftsV1.name]: { drafts: [], nextCursor: null },
  [listReplaysV1.name]: { replays: [], nextCursor: null },
  [countDroppedV1.name]: { deliveries: 0, isExact: true },
  [listTemplatesV1.name]: { ...listTemplatesV1.sample.response, templates: [] },
  [listJobsV1.name]: { ...listJobsV1.sample.response, jobs: [] },
  [listMessagesV1.name]: { ...listMessagesV1.sample.response, messages: [] },
  [listConversationsV1.name]: { ...listConversationsV1.sample.response, conversations: [] },
  [listBlocksV1.name]: { ...listBlocksV1.sample.response, blocks: [] },
  [listAccountNoticesV1.name]: { ...listAccountNoticesV1.sample.response, notices: [] },
  [listContactsV1.name]: { ...listContactsV1.sample.response, contacts: [] },
  [listMediaFilesV1.name]: { ...listMediaFilesV1.sample.response, media: [] },
  [searchTemplatesV1.name]: { templates: [], nextCursor: null },
};
/** Routes that the gateway serves from its own data. */
const OWN =
  /^(PATCH \/console\/v1\/account$|[A-Z]+ \/console\/v1\/(me|session|colleagues|presence|audit-log|keys|api-routes|api-guide|users|invitations|saved-replies|credits(.csv)?|rate-usage)(\/|$))/;

/** Routes that end the session, and the endless event stream, whose isolation `live-events.int-spec.ts` tests. */
const TESTED_ELSEWHERE = ['DELETE /console/v1/session', 'GET /console/v1/events'];

/** Commands about data of the installation, which all accounts share. */
const SHARED: ReadonlySet<string> = new Set([listRatesV1.name]);

/** Maximum concurrent calls of one route. Commands sent to services meanwhile belong to that route. */
const AT_A_TIME = 8;
/** Routes that replace the browser's session, which the next call needs. */
const EXCHANGES_SESSION = /\/me\/(password|second-factor)/;

async function sideBySide<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: most }, worker));
}

/** Returns the form for a route that reads a file. */
function fileOfA({ url }: ServedRoute): FormData {
  const form = new FormData();
  if (!url.endsWith('/jobs/excel')) {
    form.set('file', new Blob([new Uint8Array(FILES.png)]), 'menu.png');
    return form;
  }
  for (const [name, value] of Object.entries({ templateName: 'order_update', language: 'en_US' }))
    form.set(name, value);
  form.set('customerExcel', new Blob(['PK\u0003\u0004']), 'customers.xlsx');
  return form;
}

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
}

describe('console routes', () => {
  let gateway: GatewayUnderTest;
  let a: Customer;
  let b: Customer;
  let asked: { name: string; accountId: unknown }[] = [];
  let ownerOfB: UserRecord;
  /** Ids of B's objects in the gateway, one for each kind. */
  let idsOfB: string[] = [];

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['webhooks', 'templates', 'jobs', 'otp', 'messaging'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 100_000 },
    });
    a = await gateway.customer({ plan: 'scale' });
    b = await gateway.customer({ name: MARK });
    const browser = await signedIn(gateway, b.accountId);
    const gift = { accountId: b.accountId, category: 'utility' as const, amount: 5, reason: MARK };
    await gateway.services.credits.topUp(gift, MARK);
    const invited = await browser.call('POST', '/console/v1/invitations', {
      body: { email: `${MARK}@example.com`, role: 'admin' },
    });
    const saved = await browser.call('POST', '/console/v1/saved-replies', { body: { name: MARK, text: MARK } });
    const { sessionId } = await gateway.app.get(SessionsService).requireUser(browser.cookie.split('=')[1] ?? '');
    ownerOfB = browser.user;
    idsOfB = [...IDS_OF_B, b.keyId, ownerOfB.userId, sessionId, (invited.body.invitation as { id: string }).id];
    idsOfB.push((saved.body.savedReply as { id: string }).id);
    for (const contract of ASKS) gateway.fakes.answer(contract, (body) => answer(contract, body));
  });
  beforeEach(() => gateway.database.dataSource.query('DELETE FROM sign_in_attempts'));
  afterAll(() => gateway.close());

  /** Replies like a service that checks the account: a command without A's id returns data of B. */
  function answer(contract: CommandContract, body: Record<string, unknown>): unknown {
    asked.push({ name: contract.name, accountId: body.accountId });
    if (SHARED.has(contract.name)) return contract.sample.response;
    if (body.accountId !== a.accountId) return { ...contract.sample.response, ...sealedOf(contract, body), id: MARK };
    if (EMPTY_LISTS[contract.name]) return EMPTY_LISTS[contract.name];
    if ([...idsOfB, PHONE_OF_B].some((id) => JSON.stringify(body).includes(id))) throw new AppError('NOT_FOUND');
    return { ...contract.sample.response, ...sealedOf(contract, body) };
  }
  const sealedOf = (contract: CommandContract, { accountId }: Record<string, unknown>) =>
    [createEndpointV1.name, rotateSecretV1.name].includes(contract.name)
      ? { sealedSecret: testBox.seal('whsec', inTransit(contract, 'sealedSecret', String(accountId))) }
      : {};

  const routes = (): ServedRoute[] =>
    gateway.app.get(RouteTable).routes.filter(({ consoleRole, method }) => consoleRole && method !== 'HEAD');
  const nameOf = ({ method, url }: ServedRoute): string => `${method} ${url}`;
  const operationOf = ({ method, url }: ServedRoute): Operation | undefined =>
    describedConsole.description.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation | undefined;
  const bodyOf = (route: ServedRoute): object | undefined => {
    const { 'application/json': json, 'multipart/form-data': form } = operationOf(route)?.requestBody?.content ?? {};
    if (form && !json) return fileOfA(route);
    const reference = json?.schema.$ref.split('/').at(-1);
    return reference === undefined
      ? undefined
      : {
          ...(describedConsole.description.components.schemas[reference] as { example: object }).example,
          accountId: b.accountId,
        };
  };

  /** Reads all rows of B in the gateway's schema, except the audit log. */
  const everythingOfB = (): Promise<unknown> =>
    gateway.database.dataSource.query(
      `SELECT to_jsonb(u) - 'updated_at' AS row FROM users u WHERE account_id = $1
       UNION ALL SELECT to_jsonb(a) FROM accounts a WHERE id = $1
       UNION ALL SELECT to_jsonb(k) FROM api_keys k WHERE account_id = $1
       UNION ALL SELECT to_jsonb(s) FROM sessions s WHERE account_id = $1
       UNION ALL SELECT to_jsonb(r) FROM saved_replies r WHERE account_id = $1
       UNION ALL SELECT to_jsonb(i) FROM invitations i WHERE account_id = $1
       UNION ALL SELECT to_jsonb(p) FROM password_resets p WHERE account_id = $1
       UNION ALL SELECT to_jsonb(f) FROM second_factors f WHERE account_id = $1 ORDER BY 1`,
      [b.accountId],
    );

  /**
   * Returns all URLs of a route that refer to objects of B in the path or by a filter, including B's account id. Paths
   * are resolved before filters, so filters are combined with one path only.
   */
  const addressesOf = (route: ServedRoute): string[] => {
    const named = route.url.includes(':phone') ? [PHONE_OF_B] : idsOfB;
    const paths = route.url.includes(':') ? named.map((id) => route.url.replace(/:\w+/g, id)) : [route.url];
    const filters = [
      ...(operationOf(route)?.parameters ?? []).filter(({ in: place }) => place === 'query').map(({ name }) => name),
      'accountId',
    ];
    const [path = ''] = paths;
    return [
      ...paths,
      ...filters.flatMap((name) =>
        [b.accountId, ...idsOfB, ...(name === 'phone' ? [PHONE_OF_B] : [])].map((id) => `${path}?${name}=${id}`),
      ),
    ];
  };

  it('require a role and are in the API description', () => {
    const described = Object.entries(describedConsole.description.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = [
      ...routes().map((route) => `${route.method} ${route.url.replace(/:(\w+)/g, '{$1}')}`),
      'POST /console/v1/session',
      'POST /console/v1/session/second-factor',
      'POST /console/v1/invitations/open',
      'POST /console/v1/invitations/accept',
      'POST /console/v1/password-resets/complete',
    ];
    expect(described.sort()).toEqual(served.sort());
    const below = gateway.app.get(RouteTable).routes.filter(({ url }) => url.startsWith('/console'));
    expect(below.filter(({ consoleRole, publicBecause }) => !consoleRole && publicBecause === undefined)).toEqual([]);
    expect(routes().every(({ url }) => url.startsWith('/console/v1/'))).toBe(true);
  });

  it('isolate accounts (guarantee 18 of ADR 41)', async () => {
    const ofA = await signedIn(gateway, a.accountId);
    const secrets = [MARK, b.accountId, ownerOfB.email, PHONE_OF_B, ...idsOfB];
    const before = await everythingOfB();
    let calls = 0;
    const faults: string[] = [];
    for (const route of routes().filter((candidate) => !TESTED_ELSEWHERE.includes(nameOf(candidate)))) {
      asked = [];
      // Makes the newest audit entry one of B's.
      await usersOn(gateway).setRole(ownerOfB.userId, 'owner', MARK);
      const most = EXCHANGES_SESSION.test(route.url) ? 1 : AT_A_TIME;
      await sideBySide(addressesOf(route), most, async (address) => {
        const { status, body } = await ofA.call(route.method, address, { body: bodyOf(route) });
        calls += 1;
        // A's own audit log lists A's requests as rejected, with the ids of B that they named.
        const typed = nameOf(route) === 'GET /console/v1/audit-log' ? idsOfB : [];
        const text = JSON.stringify(body);
        const shown = secrets.filter((secret) => !typed.includes(secret) && text.includes(secret));
        if (shown.length > 0) faults.push(`${route.method} ${address} shows ${shown.join(', ')}`);
        if (status >= 500) faults.push(`${route.method} ${address} answers ${status}`);
        if (route.url.includes(':') && status < 400)
          faults.push(`${route.method} ${address} answers ${status} to an id of B`);
      });
      for (const { name } of asked.filter(({ accountId, name }) => accountId !== a.accountId && !SHARED.has(name)))
        faults.push(`${nameOf(route)} asks ${name} without the account`);
      if (asked.length === 0 && !OWN.test(nameOf(route))) faults.push(`${nameOf(route)} asked no service`);
    }
    process.stdout.write(
      `${routes().length} console routes, ${calls} calls of A for what is B's: ${faults.length} faults\n`,
    );
    expect(faults).toEqual([]);
    expect(await everythingOfB()).toEqual(before);
    const [{ count }] = (await gateway.database.dataSource.query(
      'SELECT count(*)::int FROM audit_log WHERE account_id = $1 AND actor LIKE $2 AND actor <> $3',
      [b.accountId, 'user:%', `user:${ownerOfB.userId}`],
    )) as [{ count: number }];
    expect(count).toBe(0);
    const noted: unknown = await gateway.database.dataSource.query(
      'SELECT DISTINCT outcome, error_code FROM audit_log WHERE account_id = $1 AND target = ANY($2)',
      [a.accountId, IDS_OF_B],
    );
    expect(noted).toEqual([{ outcome: 'refused', error_code: 'NOT_FOUND' }]);
    // The test makes thousands of calls.
  }, 300_000);

  it('return 401 or 403 before calling a service', async () => {
    for (const role of ROLES) {
      const browser = await signedIn(gateway, a.accountId, role);
      asked = [];
      for (const route of routes().filter(
        ({ consoleRole, exceptRole }) => consoleRole && (!isAllowed(role, consoleRole) || role === exceptRole),
      )) {
        const { status, body } = await browser.call(route.method, route.url.replace(/:\w+/g, IDS_OF_B[0] ?? ''), {
          body: bodyOf(route),
        });
        expect([nameOf(route), role, status, body.code]).toEqual([nameOf(route), role, 403, 'ROLE_NOT_ALLOWED']);
      }
      expect(asked).toEqual([]);
    }
    for (const route of routes())
      expect((await new Browser(gateway.url).call(route.method, route.url, { body: bodyOf(route) })).status).toBe(401);
  });

  it('require the CSRF token for changes', async () => {
    const browser = await signedIn(gateway, a.accountId);
    asked = [];
    for (const route of routes().filter(({ method }) => method !== 'GET')) {
      const { status, body } = await browser.call(route.method, route.url.replace(/:\w+/g, IDS_OF_B[0] ?? ''), {
        body: bodyOf(route),
        headers: { 'x-csrf-token': 'x' },
      });
      expect([nameOf(route), status, body.code]).toEqual([nameOf(route), 403, 'CSRF_TOKEN_INVALID']);
    }
    expect(asked).toEqual([]);
  });
});
