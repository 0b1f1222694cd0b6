import { AppError, COMMANDS, type CommandContract, newId } from '@switchboard/contracts';
import { RouteTable, type ServedRoute } from '../src/http/route-table';
import { ApiDescription } from '../src/reference/reference.controller';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

/** Marker in all data of account B. */
const MARK = 'SECRET-OF-B';
const PHONE_OF_B = '919800000077';
const NUMBER_OF_B = '15550000077';
/** Ids of B's objects of every kind that customers can see. */
const IDS_OF_B = [newId('job'), newId('med'), newId('msg'), newId('ct'), newId('evt'), `wamid.${MARK}`, PHONE_OF_B];
const ASKS = COMMANDS.filter(({ owner }) => owner !== 'gateway');

interface Operation {
  parameters?: { name: string; in: string; schema?: { type?: string; enum?: unknown[] } }[];
  requestBody?: { content: Record<string, { schema?: { $ref?: string } }> };
}

describe('account data', () => {
  let gateway: GatewayUnderTest;
  let a: Customer;
  let b: Customer;
  let asked: { name: string; accountId: unknown }[] = [];

  beforeAll(async () => {
    gateway = await startGateway({ settings: {} });
    a = await gateway.customer();
    b = await gateway.customer({ name: MARK });
    await gateway.services.credits.topUp(
      { accountId: b.accountId, category: 'utility', amount: 987_654, reason: MARK },
      'test',
    );
    for (const contract of ASKS) gateway.fakes.answer(contract, (body) => answer(contract, body));
  });
  beforeEach(() => (asked = []));
  afterAll(() => gateway.close());

  /**
   * Replies like a service that checks the account: objects of B do not exist for A. A command without A's id returns
   * data of B.
   */
  function answer(contract: CommandContract, body: Record<string, unknown>): unknown {
    asked.push({ name: contract.name, accountId: body.accountId });
    if (body.accountId !== a.accountId) return marked(contract.sample.response);
    if (IDS_OF_B.some((id) => JSON.stringify({ ...body, message: undefined }).includes(id)))
      throw new AppError('NOT_FOUND');
    return contract.sample.response;
  }

  const operationOf = ({ method, url }: ServedRoute): Operation => {
    const paths = gateway.app.get(ApiDescription).document?.paths as unknown as Record<
      string,
      Record<string, Operation>
    >;
    const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    if (!operation) throw new Error(`${method} ${url} is not in the API description`);
    return operation;
  };

  const exampleOf = (reference: string): object => {
    const { example } = gateway.app.get(ApiDescription).document?.components?.schemas?.[
      reference.split('/').at(-1) ?? ''
    ] as { example?: object };
    if (!example) throw new Error(`${reference} has no example: give it one, so that the route can be called`);
    return example;
  };

  /**
   * Returns the example body from the description, with B's number as the sender; a form with a file if the route
   * accepts only forms.
   */
  const bodyOf = (route: ServedRoute): { body?: string | FormData; type?: string } => {
    const { 'application/json': json, 'multipart/form-data': multipart } =
      operationOf(route).requestBody?.content ?? {};
    if (json?.schema?.$ref)
      return { body: JSON.stringify({ ...exampleOf(json.schema.$ref), from: NUMBER_OF_B }), type: 'application/json' };
    return multipart?.schema?.$ref ? { body: formOf({ ...exampleOf(multipart.schema.$ref), from: NUMBER_OF_B }) } : {};
  };

  /** Returns all URLs of a route that refer to objects of B. */
  const addressesOf = (route: ServedRoute): string[] => {
    const paths = route.url.includes(':')
      ? IDS_OF_B.map((id) => route.url.replace(/:\w+/g, encodeURIComponent(id)))
      : [route.url];
    const filters = (operationOf(route).parameters ?? []).filter(
      ({ in: place, schema }) => place === 'query' && schema?.type === 'string' && !schema.enum,
    );
    const queries = filters.flatMap(({ name }) => IDS_OF_B.map((id) => `${name}=${encodeURIComponent(id)}`));
    return paths.flatMap((path) => [path, ...queries.map((query) => `${path}?${query}`)]);
  };

  const callAs = async (
    { apiKey }: Customer,
    route: ServedRoute,
    address: string,
  ): Promise<{ status: number; text: string }> => {
    const { body, type } = bodyOf(route);
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(type !== undefined && { 'content-type': type }),
      ...(body !== undefined && { 'idempotency-key': address.slice(0, 255) }),
    };
    const response = await fetch(`${gateway.url}${address}`, { method: route.method, headers, body });
    return { status: response.status, text: await response.text() };
  };

  const secretsOfB = (): string[] => [MARK, b.accountId, b.keyId, b.apiKey.slice(0, 12), '987654', ...IDS_OF_B];
  const closedRoutes = (): ServedRoute[] =>
    gateway.app
      .get(RouteTable)
      .routes.filter(
        ({ method, publicBecause, consoleRole }) => publicBecause === undefined && !consoleRole && method !== 'HEAD',
      );

  it('is invisible to other accounts on every route (guarantee 18 of ADR 41)', async () => {
    let calls = 0;
    const faults: string[] = [];
    for (const route of closedRoutes()) {
      asked = [];
      for (const address of addressesOf(route)) {
        // B has made the same request with the same Idempotency-Key.
        if (route.method !== 'GET') await callAs(b, route, address);
        asked = asked.filter(({ accountId }) => accountId !== b.accountId);
        const { status, text } = await callAs(a, route, address);
        calls += 1;
        const shown = secretsOfB().filter((secret) => text.includes(secret));
        if (shown.length > 0) faults.push(`${route.method} ${address} shows ${shown.join(', ')}`);
        if (status >= 500) faults.push(`${route.method} ${address} answers ${status}`);
        if (route.url.includes(':') && status < 400)
          faults.push(`${route.method} ${address} answers ${status} to an id of B`);
      }
      const forgetful = asked.filter(({ accountId }) => accountId !== a.accountId);
      for (const { name } of forgetful) faults.push(`${route.method} ${route.url} asks ${name} without the account`);
      // If no service was called, the route was not tested: its example or its ids are missing above.
      if (asked.length === 0) faults.push(`${route.method} ${route.url} asked no service`);
    }
    process.stdout.write(
      `${closedRoutes().length} routes, ${calls} calls of A for what is B's: ${faults.length} faults\n`,
    );
    expect(faults).toEqual([]);
  });

  it('is requested with an account id in every customer command', () => {
    const withoutAccount = ASKS.filter(({ sample }) => !('accountId' in sample.request)).map(({ name }) => name);
    // Operator commands have no account: retention, encryption keys, the rate card and the platform's version concern
    // the whole installation, and `messages show` finds the account of a message.
    const retention = ['messaging.run-retention.v1', 'jobs.run-job-retention.v1', 'webhooks.run-event-retention.v1'];
    const secrets = ['messaging', 'templates', 'webhooks'].flatMap((owner) => [
      `${owner}.count-secrets.v1`,
      `${owner}.reseal-secrets.v1`,
    ]);
    const rates = ['messaging.import-rates.v1', 'messaging.list-rates.v1'];
    const versions = ['messaging.get-upstream-version.v1', 'templates.get-upstream-version.v1'];
    const ofOperators = [...rates, ...versions, ...retention, ...secrets, 'messaging.show-message.v1'];
    expect(withoutAccount.filter((name) => !ofOperators.includes(name))).toEqual([]);
  });
});

/** Builds the form of an example, with its spreadsheet as a file. */
function formOf(example: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(example))
    form.append(name, name === 'customerExcel' || name === 'file' ? new Blob([value], { type: 'text/plain' }) : value);
  return form;
}

/** Replaces every text in a value with B's marker. */
function marked(value: unknown): unknown {
  if (typeof value === 'string') return MARK;
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner)]));
}
