import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { postmanCollection } from './postman';

interface Request {
  method: string;
  header: { key: string; disabled: boolean }[];
  url: { raw: string; path: string[]; variable: { key: string }[]; query: { key: string; disabled: boolean }[] };
  body?: { mode: string; raw?: string; formdata?: { key: string; type: string; value?: string }[] };
}
interface Collection {
  variable: { key: string; value: string }[];
  item: { name: string; item: { name: string; request: Request }[] }[];
}

const DESCRIPTION = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8'),
) as OpenAPIObject;

describe('Postman collection', () => {
  const { variable, item: folders } = postmanCollection(DESCRIPTION) as Collection;
  const items = folders.flatMap(({ item }) => item);
  const requestOf = (name: string): Request => items.find((item) => item.name === name)?.request as Request;

  it('has a request for every operation', () => {
    const described = Object.entries(DESCRIPTION.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} {{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
    const requests = new Set(items.map(({ request }) => `${request.method} ${request.url.raw}`));
    expect([...requests].sort()).toEqual(described.sort());
  });

  it('has a request with the body of every example', () => {
    const request = requestOf('Send one message: Text');
    expect(request.url.path).toEqual(['v1', 'messages', 'send']);
    expect(JSON.parse(request.body?.raw ?? '')).toMatchObject({ type: 'text', text: { body: 'It ships today.' } });
    expect(requestOf('Verify a one-time password').body?.mode).toBe('raw');
  });

  it('uploads files as form data', () => {
    expect(requestOf('Send a template to the recipients in a spreadsheet').body?.formdata).toEqual([
      { key: 'customerExcel', type: 'file', src: [] },
      { key: 'templateName', type: 'text', value: 'order_update' },
      { key: 'language', type: 'text', value: 'en_US' },
      { key: 'name', type: 'text', value: 'Order updates, Monday' },
    ]);
  });

  it('names path variables and disables optional parameters', () => {
    const { url, header } = items.find(({ request }) => request.url.raw.endsWith('/jobs/:jobId/retry-failed'))
      ?.request as Request;
    expect(url.variable).toEqual([expect.objectContaining({ key: 'jobId', value: 'job_01jd0000000000000000000000' })]);
    expect(header).toEqual([expect.objectContaining({ key: 'Idempotency-Key', disabled: true })]);
    const files = items.map(({ request }) => request.url.path.join('/'));
    expect(files).toContain('v1/jobs/:jobId/results.csv');
  });

  it('uses a variable for the API key', () => {
    expect(variable).toEqual([
      { key: 'baseUrl', value: 'http://localhost:3000' },
      { key: 'apiKey', value: '' },
    ]);
    expect(JSON.stringify(folders)).not.toContain('sb_live_');
  });
});
