import { appSecretProof, createUpstreamClient, type UpstreamClient } from '@switchboard/upstream';
import { ACCESS_TOKEN, APP_SECRET, PHONE_NUMBER_ID, startSimulator, type StartedSimulator } from './start-simulator';

let simulator: StartedSimulator;
const open: UpstreamClient[] = [];
beforeAll(async () => {
  simulator = await startSimulator();
});
afterEach(async () => {
  await simulator.control('app', { requireAppSecret: false });
  await Promise.all(open.splice(0).map((client) => client.close()));
});
afterAll(() => simulator.close());

const number = { phoneNumberId: PHONE_NUMBER_ID, accessToken: ACCESS_TOKEN };
function clientWith(appSecret?: string): UpstreamClient {
  const client = createUpstreamClient({ baseUrl: simulator.url, apiVersion: 'v24.0', timeoutMs: 5_000, appSecret });
  open.push(client);
  return client;
}
const read = (appSecret?: string) => clientWith(appSecret).getNumber(number);

describe('Require App Secret', () => {
  it('is off by default and requires no proof', async () => {
    expect(await simulator.control('app')).toMatchObject({ requireAppSecret: false });
    expect(await read()).toMatchObject({ id: PHONE_NUMBER_ID });
    expect(await read(APP_SECRET)).toMatchObject({ id: PHONE_NUMBER_ID });
  });

  it('rejects calls without a proof when on', async () => {
    await simulator.control('app', { requireAppSecret: true });
    expect(await simulator.graph('GET', PHONE_NUMBER_ID)).toMatchObject({
      status: 400,
      body: { error: { code: 100, type: 'GraphMethodException', message: expect.stringContaining('appsecret_proof') } },
    });
    await expect(read()).rejects.toMatchObject({
      title: expect.stringContaining('requires a proof') as string,
      stopsNumber: false,
    });
    expect(await read(APP_SECRET)).toMatchObject({ id: PHONE_NUMBER_ID });
  });

  it('always rejects a wrong proof, on or off', async () => {
    for (const requireAppSecret of [true, false]) {
      await simulator.control('app', { requireAppSecret });
      await expect(read('another secret')).rejects.toMatchObject({
        title: expect.stringContaining('is not valid') as string,
      });
    }
    const proof = appSecretProof('another token', APP_SECRET);
    expect((await simulator.graph('GET', `${PHONE_NUMBER_ID}?appsecret_proof=${proof}`)).status).toBe(400);
  });

  it('accepts the proof in an upload URL that has a query', async () => {
    await simulator.control('app', { requireAppSecret: true });
    const client = clientWith(APP_SECRET);
    const call = { accessToken: ACCESS_TOKEN };
    const uploadId = await client.createUpload({ ...call, filename: 'a.png', bytes: 3, mimeType: 'image/png' });
    expect(await client.uploadChunk({ ...call, uploadId, offset: 0, bytes: 3, content: threeBytes() })).toMatch(/^4::/);
  });

  it('accepts only booleans, and is turned off by a reset', async () => {
    await expect(simulator.control('app', { requireAppSecret: 'yes' })).rejects.toThrow('true or false');
    await simulator.control('app', { requireAppSecret: true });
    await simulator.control('reset', {});
    expect(await simulator.control('app')).toMatchObject({ requireAppSecret: false });
  });
});

async function* threeBytes(): AsyncGenerator<Buffer> {
  yield Buffer.from('abc');
}
