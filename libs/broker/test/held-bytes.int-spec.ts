import { queueOf, setEndpointV1, type SetEndpointReply } from '@switchboard/contracts';
import { deleteNamespace, eventually, testBrokerOptions } from '@switchboard/testing';
import type { Broker } from '../src/index';
import { openRawChannel, type RawChannel } from './support/raw-channel';
import { connectGateway, startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

const COMMANDS = 400;
/** What the commands of one queue may take in a process. */
const HELD_BYTES = 67_108_864;

describe('commands that a process holds', () => {
  const options = testBrokerOptions();
  const handlers: Partial<WebhooksHandlers> = {};
  const { request, response } = setEndpointV1.sample;
  let service: WebhooksService;
  let gateway: Broker;
  let raw: RawChannel;

  beforeAll(async () => {
    service = await startWebhooks({ ...options, prefetch: 200 }, handlers);
    gateway = await connectGateway(options);
    raw = await openRawChannel();
  });

  afterAll(async () => {
    await raw.close();
    await gateway.close();
    await service.close();
    await deleteNamespace(options.namespace);
  });

  it('take 64 MB at most in each queue, were all as large as they may be; the others wait in the broker', async () => {
    const letGo: (() => void)[] = [];
    handlers.setEndpoint = () => new Promise<SetEndpointReply>((resolve) => letGo.push(() => resolve(response)));
    const answers = Promise.allSettled(Array.from({ length: COMMANDS }, () => gateway.ask(setEndpointV1, request)));
    const queue = `${options.namespace}.${queueOf(setEndpointV1, 'webhooks')}`;
    const most = Math.floor(HELD_BYTES / setEndpointV1.maxBytes);
    await eventually(async () => expect(await raw.count(queue)).toBe(COMMANDS - most));
    handlers.setEndpoint = () => response;
    for (const answer of letGo) answer();
    expect((await answers).filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('are no larger than their contract says: a larger one is refused before it is sent', async () => {
    let calls = 0;
    handlers.setEndpoint = () => {
      calls += 1;
      return response;
    };
    const url = (bytes: number): string => `https://example.com/${'é'.repeat(bytes / 2)}`;
    const tooLarge = gateway.ask(setEndpointV1, { ...request, url: url(setEndpointV1.maxBytes) });
    const message = 'the request is too large: its content may take 256 KB at most';
    await expect(tooLarge).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message });
    expect(calls).toBe(0);
  });
});
