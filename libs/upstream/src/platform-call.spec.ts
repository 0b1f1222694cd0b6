import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createUpstreamClient } from './client';
import { createMediaClient } from './media-download';
import { appSecretProof, provenPath, USER_AGENT } from './platform-call';

describe('platform calls', () => {
  it("identify Switchboard with the repository's version", () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8');
    expect(USER_AGENT).toBe(`Switchboard/${(JSON.parse(text) as { version: string }).version}`);
  });

  it('have the lowercase HMAC-SHA256 of the token as proof', () =>
    // printf token | openssl dgst -sha256 -hmac secret
    expect(appSecretProof('token', 'secret')).toBe('e941110e3d2bfe82621f0e3e1434730d7305d106c5f68c87165d0b27a4611a4a'));

  it.each([
    ['/v24.0/1', '/v24.0/1?appsecret_proof='],
    ['/v24.0/1?fields=id', '/v24.0/1?fields=id&appsecret_proof='],
  ])('add the proof to the query of %s', (path, proven) => {
    expect(provenPath(path, 'token', 'secret')).toBe(proven + appSecretProof('token', 'secret'));
    expect(provenPath(path, 'token', undefined)).toBe(path);
  });
});

describe('every call of both clients', () => {
  const CALLS = 11;
  let server: Server;
  let baseUrl: string;
  const seen: { path: string; proof: string | null; agent?: string }[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', baseUrl);
      const proof = url.searchParams.get('appsecret_proof');
      seen.push({ path: url.pathname, proof, agent: request.headers['user-agent'] });
      const answer = { messages: [{ id: 'wamid.1' }], id: 'upload:1', h: 'h', success: true, data: [], file_offset: 0 };
      request.resume().on('end', () => response.end(JSON.stringify({ ...answer, url: `${baseUrl}/file` })));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void seen.splice(0));
  afterAll(() => void server.close());

  async function callAll(appSecret?: string): Promise<void> {
    const options = { baseUrl, apiVersion: 'v24.0', timeoutMs: 5_000, appSecret };
    const [calls, media] = [createUpstreamClient(options), createMediaClient(options)];
    const call = { accessToken: 'token', wabaId: '1', phoneNumberId: '2', templateId: '3', name: 'a', mediaId: '4' };
    const file = { mimeType: 'image/png', filename: 'a', bytes: 1 };
    const template = { name: 'a', language: 'en', category: 'UTILITY', components: [] };
    await calls.sendMessage({ ...call, body: { to: '1', type: 'text', text: { body: 'x' } } });
    await calls.listTemplates(call);
    await calls.createTemplate({ ...call, template });
    await calls.editTemplate({ ...call, edit: {} });
    await calls.deleteTemplate(call);
    await calls.getNumber(call);
    await calls.uploadMedia({ ...call, file: { ...file, content: oneByte() } });
    await calls.createUpload({ ...call, ...file });
    await calls.uploadChunk({ ...call, uploadId: 'upload:1?sig=a', offset: 0, bytes: 1, content: oneByte() });
    await calls.getUploadOffset({ ...call, uploadId: 'upload:1' });
    await media.readMedia(call);
    (await media.download({ ...call, url: `${baseUrl}/file` })).stream.resume();
    await Promise.all([calls.close(), media.close()]);
  }

  it('sends the user agent', async () => {
    await callAll();
    expect(seen.map(({ agent }) => agent)).toEqual(Array(CALLS + 1).fill(USER_AGENT));
  });

  it('sends a proof if it has an app secret, except for media downloads', async () => {
    await callAll('app-secret');
    expect(seen.map(({ proof }) => proof)).toEqual([
      ...Array<string>(CALLS).fill(appSecretProof('token', 'app-secret')),
      null,
    ]);
    expect(seen.at(-1)?.path).toBe('/file');
  });

  it('sends no proof without an app secret', async () => {
    await callAll();
    expect(seen.map(({ proof }) => proof)).toEqual(Array(CALLS + 1).fill(null));
  });
});

async function* oneByte(): AsyncGenerator<Buffer> {
  yield Buffer.from('x');
}
