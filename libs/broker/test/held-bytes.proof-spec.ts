import {
  messageReceivedV1,
  queueOf,
  sendTestEventV1,
  setEndpointV1,
  type SetEndpointReply,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import { deleteNamespace, eventually, testBrokerOptions } from '@switchboard/testing';
import type { Broker } from '../src/index';
import { openRawChannel, type RawChannel } from './support/raw-channel';
import { connectGateway, startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

/** Budget for all commands held by a process, and again for its tasks and events. */
const HELD_BYTES = 67_108_864;
const COMMANDS = 3_000;
const EVENTS = 700;

describe('memory budget for held messages', () => {
  const options = testBrokerOptions();
  const handlers: Partial<WebhooksHandlers> = {};
  const { request, response } = setEndpointV1.sample;
  const letGo: (() => void)[] = [];
  const whenLetGo = (): Promise<void> => new Promise((resolve) => letGo.push(resolve));
  let service: WebhooksService;
  let gateway: Broker;
  let raw: RawChannel;

  beforeAll(async () => {
    service = await startWebhooks({ ...options, prefetch: 1_000 }, handlers);
    gateway = await connectGateway(options);
    raw = await openRawChannel();
  });

  afterEach(() => {
    Object.assign(handlers, { setEndpoint: undefined, takeReceived: undefined, takeTemplateStatus: undefined });
    for (const answer of letGo.splice(0)) answer();
  });

  afterAll(async () => {
    await raw.close();
    await gateway.close();
    await service.close();
    await deleteNamespace(options.namespace);
  });

  const waiting = (contract: Parameters<typeof queueOf>[0]): Promise<number> =>
    raw.count(`${options.namespace}.${queueOf(contract, 'webhooks')}`);

  it('holds at most 64 MB of commands and leaves the rest in the broker', async () => {
    handlers.setEndpoint = () => whenLetGo().then((): SetEndpointReply => response);
    const answers = Promise.allSettled(Array.from({ length: COMMANDS }, () => gateway.request(setEndpointV1, request)));
    await eventually(() => expect(letGo.length).toBeGreaterThan(100));
    await eventually(async () => expect(await waiting(setEndpointV1)).toBe(0));
    // The service has four queues with commands of this size, and more with smaller ones.
    expect(letGo.length * setEndpointV1.maxBytes).toBeLessThanOrEqual(HELD_BYTES / 4);
    Object.assign(handlers, { setEndpoint: undefined });
    for (const answer of letGo.splice(0)) answer();
    await answers;
  });

  it('holds at most 64 MB of events while commands still run', async () => {
    handlers.takeReceived = whenLetGo;
    handlers.takeTemplateStatus = whenLetGo;
    const received = { ...messageReceivedV1.sample, content: { body: 'x'.repeat(messageReceivedV1.maxBytes - 1_000) } };
    const changed = { ...templateStatusChangedV1.sample, reason: 'x'.repeat(templateStatusChangedV1.maxBytes - 1_000) };
    for (let published = 0; published < EVENTS; published += 50) {
      await Promise.all(
        Array.from({ length: 50 }, () =>
          Promise.all([
            gateway.publish(messageReceivedV1, received),
            gateway.publish(templateStatusChangedV1, changed),
          ]),
        ),
      );
    }
    const heldBytes = async (): Promise<number> =>
      (EVENTS - (await waiting(messageReceivedV1))) * (messageReceivedV1.maxBytes - 1_000) +
      (EVENTS - (await waiting(templateStatusChangedV1))) * (templateStatusChangedV1.maxBytes - 1_000);
    await eventually(() => expect(letGo.length).toBeGreaterThan(300));
    expect(await heldBytes()).toBeLessThanOrEqual(HELD_BYTES);
    await expect(gateway.request(sendTestEventV1, sendTestEventV1.sample.request)).resolves.toEqual(
      sendTestEventV1.sample.response,
    );
  });

  it('rejects a message that exceeds its contract before sending it', async () => {
    let calls = 0;
    handlers.setEndpoint = () => {
      calls += 1;
      return response;
    };
    const url = (bytes: number): string => `https://example.com/${'é'.repeat(bytes / 2)}`;
    const tooLarge = gateway.request(setEndpointV1, { ...request, url: url(setEndpointV1.maxBytes) });
    const message = 'the request is too large: its content may take 32 KB at most';
    await expect(tooLarge).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message });
    expect(calls).toBe(0);
    const event = { ...messageReceivedV1.sample, content: { body: 'é'.repeat(messageReceivedV1.maxBytes / 2) } };
    await expect(gateway.publish(messageReceivedV1, event)).rejects.toThrow(
      'messaging.message.received.v1 takes more than 131072 bytes',
    );
  });
});
