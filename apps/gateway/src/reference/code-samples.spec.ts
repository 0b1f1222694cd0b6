import { codeSamples } from './code-samples';
import type { DescriptionNode, PlacedOperation } from './description-model';

const description: DescriptionNode = {
  info: { title: 'API' },
  tags: [],
  servers: [{ url: 'https://api.example.com/' }],
  paths: {},
  webhooks: {},
  components: {
    schemas: { Upload: { properties: { file: { type: 'string', format: 'binary' }, caption: { type: 'string' } } } },
    parameters: {},
    examples: {},
  },
};
const operation = (more: Partial<PlacedOperation>): PlacedOperation => ({
  operationId: 'sendNote',
  method: 'POST',
  path: '/v1/notes',
  responses: { '200': { description: 'Success', content: { 'application/json': {} } } },
  ...more,
});
const samplesOf = (more: Partial<PlacedOperation>): Record<string, string> =>
  codeSamples(operation(more), description)[0]?.code ?? {};

describe('code samples', () => {
  it('send a JSON body in each language', () => {
    const value = { to: '4915', clientRef: "Asha's", isLast: true, from: null, list: [1, { 'button 1': '"x"' }] };
    const { curl, typescript, python } = samplesOf({
      requestBody: { content: { 'application/json': { examples: { one: { value } } } } },
    });
    expect(curl).toBe(String.raw`curl https://api.example.com/v1/notes \
  -H "Authorization: Bearer $API_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "to": "4915",
    "clientRef": "Asha'\''s",
    "isLast": true,
    "from": null,
    "list": [1, {"button 1": "\"x\""}]
  }'`);
    expect(typescript).toBe(String.raw`import { createClient } from 'switchboard-client';

const switchboard = createClient({
  baseUrl: 'https://api.example.com/v1',
  apiKey: process.env.API_KEY ?? '',
});

const response = await switchboard.sendNote({
  to: '4915',
  clientRef: 'Asha\'s',
  isLast: true,
  from: null,
  list: [1, { 'button 1': '"x"' }],
});
console.log(response);`);
    expect(python).toBe(
      String.raw`import os
from switchboard import Switchboard

switchboard = Switchboard(
    "https://api.example.com/v1",
    os.environ["API_KEY"],
)

response = switchboard.send_note(
    to="4915",
    client_ref="Asha's",
    isLast=True,
    from_=None,
    list=[1, {"button 1": "\"x\""}],
)
print(response)`.replace('isLast', 'is_last'),
    );
  });

  it('upload files after the other fields', () => {
    const content = {
      'multipart/form-data': {
        schema: { $ref: '#/components/schemas/Upload' },
        examples: { one: { value: { file: 'a.pdf', caption: 'A b' } } },
      },
    };
    const { curl, typescript, python } = samplesOf({ requestBody: { content } });
    expect(curl).toMatch(/-F 'caption=A b' \\\n {2}-F file=@a\.pdf$/);
    expect(typescript).toContain("file: { content: await openAsBlob('a.pdf'), filename: 'a.pdf' }");
    expect(python).toContain('file=Path("a.pdf")');
  });

  it('fill in parameters and save downloads', () => {
    const { curl, typescript, python } = samplesOf({
      method: 'GET',
      path: '/v1/notes/{id}/results.csv',
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { example: 'a/b' } },
        { name: 'kind', in: 'query', required: true, schema: { enum: ['x'] } },
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
      ],
      responses: { '200': { description: 'File', content: { 'text/csv': {} } } },
    });
    expect(curl).toBe(String.raw`curl 'https://api.example.com/v1/notes/a%2Fb/results.csv?kind=x' \
  -H "Authorization: Bearer $API_KEY" \
  -o results.csv`);
    expect(typescript).toContain("const file = await switchboard.sendNote({ id: 'a/b', kind: 'x' });");
    expect(python).toContain('switchboard.send_note("a/b", kind="x").save("results.csv")');
  });

  it('name the method of a call without a body', () => {
    expect(samplesOf({ method: 'DELETE' })['curl']).toContain('curl -X DELETE https://api.example.com/v1/notes');
  });
});
