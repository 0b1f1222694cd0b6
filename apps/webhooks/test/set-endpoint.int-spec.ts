import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { newId, type SetEndpointReply, setEndpointV1 } from '@switchboard/contracts';
import { inTransit, readConfig } from '@switchboard/platform';
import {
  acceptingChallenge,
  eventually,
  type Receiver,
  startReceiver,
  TEST_ENCRYPTION_KEY,
} from '@switchboard/testing';
import { settings } from '../src/config';
import { EndpointsService } from '../src/endpoints/endpoints.service';
import { secretPlace } from '../src/secrets/secret-places';
import { Harness, sealedToken, testBox, VERIFY_TOKEN } from './harness';

describe('setting a webhook endpoint', () => {
  let harness: Harness;
  let receiver: Receiver;
  const saved = (accountId: string) =>
    harness.database.dataSource.query(
      'SELECT id, url, sealed_secret, sealed_verify_token FROM endpoints WHERE account_id = $1',
      [accountId],
    );

  const secretOf = ({ sealedSecret }: SetEndpointReply, accountId: string) =>
    testBox.open(sealedSecret, inTransit(setEndpointV1, 'sealedSecret', accountId));

  beforeAll(async () => {
    harness = await Harness.start();
    receiver = await startReceiver();
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await receiver.close();
  }, 60_000);

  it('runs the challenge, encrypts the secrets and returns the secret', async () => {
    const accountId = newId('acc');
    receiver.respondWith(acceptingChallenge(VERIFY_TOKEN));
    const reply = await harness.setEndpoint(accountId, `${receiver.url}/hook?tenant=1`);
    expect(secretOf(reply, accountId)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(reply.url).toBe(`${receiver.url}/hook?tenant=1`);
    const [row] = await saved(accountId);
    expect(row).toMatchObject({ id: reply.id, url: reply.url });
    expect(testBox.open(row.sealed_secret, secretPlace(reply.id))).toBe(secretOf(reply, accountId));
    expect(row.sealed_verify_token).not.toContain(VERIFY_TOKEN);
    const [request] = receiver.received.slice(-1);
    expect(request?.path).toMatch(
      /^\/hook\?tenant=1&hub\.mode=subscribe&hub\.verify_token=a\+verify\+token&hub\.challenge=[0-9a-f]{32}$/,
    );
  });

  it('replaces URL and secret, keeping the id and waiting deliveries', async () => {
    const { accountId, secret } = await harness.account(receiver, (_request, response) =>
      response.writeHead(500).end(),
    );
    await harness.report(accountId);
    await eventually(async () => expect((await harness.attempts(accountId))[0]?.finished_at).toBeInstanceOf(Date));
    const [before] = await saved(accountId);
    receiver.respondWith(acceptingChallenge(VERIFY_TOKEN));
    const reply = await harness.setEndpoint(accountId, `${receiver.url}/moved`);
    expect(receiver.received.findLast(({ method }) => method === 'GET')).toMatchObject({
      path: expect.stringMatching(
        /^\/moved\?hub\.mode=subscribe&hub\.verify_token=a\+verify\+token&hub\.challenge=[0-9a-f]{32}$/,
      ) as string,
    });
    expect(reply.id).toBe(before.id);
    expect(secretOf(reply, accountId)).not.toBe(secret);
    await harness.makeDue(accountId);
    await eventually(async () => expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered' }]));
    expect(receiver.received.at(-1)?.path).toBe('/moved');
    const challenges = receiver.received
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.split('hub.challenge=')[1]);
    expect(new Set(challenges).size).toBe(challenges.length);
  });

  it.each([
    ['returns 403', 'the verification challenge failed: the endpoint answered 403', { status: 403, body: '' }],
    ['returns 201', 'the verification challenge failed: the endpoint answered 201', { status: 201, body: '' }],
    [
      'redirects',
      'the verification challenge failed: the endpoint answered 302 with the Location http://127.0.0.1:1/: redirects are not followed',
      { status: 302, body: '' },
    ],
    [
      'returns another body',
      'the verification challenge failed: the endpoint answered 200, but its body is not the value of hub.challenge',
      { status: 200, body: 'ok' },
    ],
  ])('saves nothing when the endpoint %s', async (_what, message, { status, body }) => {
    const accountId = newId('acc');
    receiver.respondWith((_request, response) =>
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body),
    );
    await expect(harness.setEndpoint(accountId, receiver.url)).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining(message) as string,
    });
    expect(await saved(accountId)).toEqual([]);
  });

  it('keeps the earlier endpoint when the new one is unreachable', async () => {
    const { accountId } = await harness.account(receiver);
    const [before] = await saved(accountId);
    await expect(harness.setEndpoint(accountId, 'http://127.0.0.1:1/hook')).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(
        /^the verification challenge failed: the connection failed \(ECONNREFUSED\)\. The service asked GET http:\/\/127\.0\.0\.1:1\/hook\?hub\.mode=subscribe&hub\.verify_token=…&hub\.challenge=(\w{32}) and expected the body \1$/,
      ) as string,
    });
    expect(await saved(accountId)).toEqual([before]);
  });

  it.each(['file:///etc/passwd', 'https://user:password@example.com/hook'])('rejects the URL %s', async (url) => {
    const accountId = newId('acc');
    await expect(harness.setEndpoint(accountId, url)).rejects.toMatchObject({ code: 'INVALID_LINK' });
    expect(await saved(accountId)).toEqual([]);
  });

  it('rejects private addresses and plain HTTP by default', async () => {
    const { WEBHOOK_ALLOW_PRIVATE } = readConfig(settings, {
      ...harness.addresses,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    });
    expect(WEBHOOK_ALLOW_PRIVATE).toBe(false);
    await harness.stopService();
    const strict = await harness.startService({ WEBHOOK_ALLOW_PRIVATE });
    const count = receiver.received.length;
    await expect(harness.setEndpoint(newId('acc'), receiver.url)).rejects.toMatchObject({ code: 'INVALID_LINK' });
    await expect(harness.setEndpoint(newId('acc'), receiver.url.replace('http', 'https'))).rejects.toMatchObject({
      code: 'INVALID_LINK',
    });
    expect(receiver.received).toHaveLength(count);
    await harness.stopService(strict);
    await harness.startService();
  });

  it('rejects a public name with a private address without connecting', async () => {
    await harness.stopService();
    const strict = await harness.startService({ WEBHOOK_ALLOW_PRIVATE: false });
    const system = dns.lookup as LookupFunction;
    const privately: LookupFunction = (host, options, callback) =>
      host === 'hook.example.com'
        ? callback(null, [{ address: '10.0.0.1', family: 4 }])
        : system(host, options, callback);
    const lookup = jest.spyOn(dns, 'lookup').mockImplementation(privately as never);
    const accountId = newId('acc');
    const count = receiver.received.length;
    await expect(harness.setEndpoint(accountId, 'https://hook.example.com/')).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringContaining('the verification challenge failed: its address is not a public one') as string,
    });
    lookup.mockRestore();
    expect(await saved(accountId)).toEqual([]);
    expect(receiver.received).toHaveLength(count);
    await harness.stopService(strict);
    await harness.startService();
  });

  it('does not affect another account', async () => {
    const [one, two] = [await harness.account(receiver), await harness.account(receiver)];
    expect((await saved(one.accountId))[0].id).not.toBe((await saved(two.accountId))[0].id);
    await harness.report(two.accountId);
    await eventually(async () =>
      expect(await harness.deliveries(two.accountId)).toMatchObject([{ state: 'delivered' }]),
    );
    expect(await harness.deliveries(one.accountId)).toEqual([]);
  });

  it('returns the same secret when the command is repeated', async () => {
    const service = await harness.startService();
    const endpoints = service.app.get(EndpointsService);
    receiver.respondWith(acceptingChallenge(VERIFY_TOKEN));
    const accountId = newId('acc');
    const command = { accountId, url: receiver.url, sealedVerifyToken: sealedToken(setEndpointV1, accountId) };
    const secretBy = async (id: string) => secretOf(await endpoints.setEndpoint(command, id), accountId);
    const first = await secretBy('command-1');
    expect(await secretBy('command-1')).toBe(first);
    expect(await secretBy('command-2')).not.toBe(first);
    await harness.stopService(service);
  });
});
