import { type GatewayUnderTest, startGateway } from './support/gateway';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RouteTable } from '../src/http/route-table';
import { described } from './support/checked-in';
import { call } from './support/http';

interface Served {
  openapi: string;
  servers: unknown;
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary?: string;
        security?: unknown;
        responses: Record<string, object>;
        requestBody?: { content: Record<string, object> };
      }
    >
  >;
  webhooks: Record<string, object>;
  components: { schemas: Record<string, { example?: unknown }>; examples: Record<string, { value: object }> };
}

describe('the API description', () => {
  let gateway: GatewayUnderTest;
  let served: Served;

  beforeAll(async () => {
    gateway = await startGateway();
    served = (await call(`${gateway.url}/v1/openapi.json`)).body as unknown as Served;
  });
  afterAll(() => gateway.close());

  const operations = () =>
    Object.entries(served.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
    );

  it('is the one that is checked in, but for the public address', () => {
    expect({ ...served, servers: [] }).toEqual({ ...described.description, servers: [] });
  });

  it('has every authenticated route, and no other', () => {
    const routes = gateway.app
      .get(RouteTable)
      .routes.filter(
        ({ method, publicBecause, consoleRole }) => method !== 'HEAD' && publicBecause === undefined && !consoleRole,
      );
    const ofRoutes = routes.map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`).sort();
    expect(
      operations()
        .map(({ path, method }) => `${method.toUpperCase()} ${path}`)
        .sort(),
    ).toEqual(ofRoutes);
  });

  it('names each operation once, with a summary and the errors every call can meet', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operationId, summary, security, responses } of operations()) {
      expect([operationId, summary, security]).toEqual([
        expect.stringMatching(/^[a-z][A-Za-z]+$/),
        expect.any(String),
        [{ bearer: [] }],
      ]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '403', '429', '500', '503']));
    }
  });

  it('describes every event', () => {
    expect(Object.keys(served.webhooks)).toEqual([
      'message',
      'message_status',
      'template_status',
      'phone_number_quality',
      'job_completed',
      'job_paused',
      'job_failed',
      'message_edited',
      'message_deleted',
      'contact_changed',
      'call',
      'account_notice',
      'message_held',
      'message_echo',
    ]);
  });

  it('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ ...served, $id: 'api' });
    const withExample = Object.entries(served.components.schemas).filter(([, { example }]) => example !== undefined);
    expect(withExample.length).toBeGreaterThan(8);
    for (const [name, { example }] of withExample) {
      expect([name, ajv.validate({ $ref: `api#/components/schemas/${name}` }, example), ajv.errorsText()]).toEqual([
        name,
        true,
        'No errors',
      ]);
    }
    for (const { value } of Object.values(served.components.examples)) {
      expect([value, ajv.validate({ $ref: 'api#/components/schemas/Error' }, value)]).toEqual([value, true]);
    }
  });

  it('refers to nothing that is missing', () => {
    for (const [, kind = '', name = ''] of JSON.stringify(served).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      expect(served.components).toHaveProperty([kind, name]);
    }
  });
});
