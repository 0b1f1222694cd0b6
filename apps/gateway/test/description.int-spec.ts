import { isDeepStrictEqual } from 'node:util';
import { INBOUND_TYPES } from '@switchboard/contracts';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RouteTable } from '../src/http/route-table';
import { described } from './support/checked-in';
import { call } from './support/http';

interface Union {
  oneOf: object[];
  discriminator: { propertyName: string; mapping: Record<string, string> };
}

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

interface Example {
  summary: string;
  value: object;
}

describe('API description', () => {
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

  it('matches the checked-in file except for the public URL', () => {
    const isSame = isDeepStrictEqual({ ...served, servers: [] }, { ...described.description, servers: [] });
    expect(isSame ? 'current' : 'docs/openapi.json is stale: npm run generate').toBe('current');
  });

  it('has exactly the authenticated routes', () => {
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

  it('has unique operation ids, summaries and common errors', () => {
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

  it('describes messages as unions by type', () => {
    const schemas = served.components.schemas as unknown as Record<string, Union>;
    const types = [...INBOUND_TYPES, 'unsupported'];
    for (const name of ['MessageEvent', 'MessageEditedEvent']) {
      expect(schemas[name]).toMatchObject({ discriminator: { propertyName: 'type' } });
      expect(Object.keys(schemas[name]?.discriminator.mapping ?? {}).sort()).toEqual(types.sort());
      expect(schemas[name]?.oneOf).toHaveLength(types.length);
    }
  });

  it('has examples that match their schemas', () => {
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

  it('has matching examples of every request', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ ...served, $id: 'api' });
    const bodies = operations().flatMap(({ operationId, requestBody }) =>
      Object.entries(requestBody?.content ?? {}).map(([type, media]) => ({ operationId, type, media })),
    );
    expect(bodies.length).toBeGreaterThan(5);
    for (const { operationId, type, media } of bodies) {
      const { schema, examples = {} } = media as { schema: { $ref: string }; examples?: Record<string, Example> };
      expect([operationId, type, Object.keys(examples).length > 0]).toEqual([operationId, type, true]);
      for (const [name, { summary, value }] of Object.entries(examples))
        expect([name, summary, ajv.validate({ $ref: `api${schema.$ref}` }, value), ajv.errorsText()]).toEqual([
          name,
          expect.any(String),
          true,
          'No errors',
        ]);
    }
  });

  it('has titled alternatives, declared tags and a server URL', () => {
    const untitled: string[] = [];
    const look = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const one of (value as { oneOf?: object[] }).oneOf ?? [])
        if (!('$ref' in one) && !('title' in one)) untitled.push(place);
      for (const [name, child] of Object.entries(value)) look(child, `${place}/${name}`);
    };
    look(served, '');
    expect(untitled).toEqual([]);
    const { tags, servers } = served as unknown as { tags: { name: string }[]; servers: { url: string }[] };
    const used = [...operations(), ...Object.values(served.webhooks).flatMap(Object.values)] as { tags: string[] }[];
    expect(tags.map(({ name }) => name).sort()).toEqual([...new Set(used.flatMap((one) => one.tags))].sort());
    expect(servers[0]?.url).toMatch(/^http:/);
  });

  it('has no dangling references', () => {
    for (const [, kind = '', name = ''] of JSON.stringify(served).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      expect(served.components).toHaveProperty([kind, name]);
    }
  });
});
