import type { AddressInfo } from 'node:net';
import { acceptingChallenge, type Receiver, silentLogger, startReceiver } from '@switchboard/testing';
import {
  createUpstreamClient,
  splitCallback,
  type UpstreamCallback,
  type UpstreamClient,
  type UpstreamSendBody,
  type UpstreamStatus,
  verifyCallback,
} from '@switchboard/upstream';
import type { SimulatorSettings } from '../src/config';
import { createSimulator } from '../src/simulator';

export const APP_SECRET = 'test_app_secret';
export const ACCESS_TOKEN = 'test-access-token';
export const PHONE_NUMBER_ID = '200000000000002';
export const WABA_ID = '100000000000001';
export const CUSTOMER = '919812345678';

export interface StartedSimulator {
  url: string;
  /** Receives the callbacks. */
  receiver: Receiver;
  client: UpstreamClient;
  send(body?: Partial<UpstreamSendBody>): Promise<string>;
  control<T = Record<string, unknown>>(path: string, body?: object): Promise<T>;
  /** Calls the Cloud API with the token. The path starts after the version. */
  graph(
    method: string,
    path: string,
    body?: object | FormData,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  changes(field: string): Record<string, unknown>[];
  statuses(): UpstreamStatus[];
  close(): Promise<void>;
}

export const helloWorld: UpstreamSendBody = {
  to: CUSTOMER,
  type: 'template',
  template: { name: 'hello_world', language: { code: 'en_US' } },
};
export const text: UpstreamSendBody = { to: CUSTOMER, type: 'text', text: { body: 'Grüße / 👋' } };

/** Starts a simulator on a free port with a real receiver for its callbacks. */
export async function startSimulator(settings: Partial<SimulatorSettings> = {}): Promise<StartedSimulator> {
  const receiver = await startReceiver();
  receiver.respondWith(acceptingChallenge('verify-me'));
  const app = createSimulator(
    {
      callbackUrl: `${receiver.url}/callbacks/upstream`,
      appSecret: APP_SECRET,
      requireAppSecret: false,
      verifyToken: 'verify-me',
      accessToken: ACCESS_TOKEN,
      delaysMs: { sent: 10, delivered: 40, read: 80 },
      callbackRetryMaxMs: 1_000,
      controlAccess: 'loopback',
      rateLimits: false,
      portfolio: { enforced: false, raiseMs: 21_600_000 },
      pricing: { date: null, freeServiceMessages: 1_000 },
      callbackHeaders: {},
      fetchLinks: false,
      reviewDelayMs: 500,
      firstPauseMs: 300,
      mediaBytes: 256 * 1024 * 1024,
      referenceUrl: 'http://127.0.0.1:3000/docs',
      ...settings,
    },
    silentLogger,
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const client = createUpstreamClient({ baseUrl: url, apiVersion: 'v24.0', timeoutMs: 5_000 });
  return {
    url,
    receiver,
    client,
    send: async (body = {}) => {
      const sent = await client.sendMessage({
        phoneNumberId: PHONE_NUMBER_ID,
        accessToken: ACCESS_TOKEN,
        body: { ...helloWorld, ...body },
      });
      return sent.messageId;
    },
    control: (path, body) => callControl(url, path, body),
    graph: (method, path, body) => callGraph(`${url}/v24.0/${path}`, method, body),
    changes: (field) => changesOf(receiver, field),
    statuses: () =>
      callbacksOf(receiver).flatMap(({ messages }) => messages.flatMap(({ value }) => value.statuses ?? [])),
    close: async () => {
      await app.close();
      await client.close();
      await receiver.close();
    },
  };
}

async function callControl<T>(url: string, path: string, body?: object): Promise<T> {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/_control/${path}`, init);
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function callGraph(
  url: string,
  method: string,
  body?: object | FormData,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, ...(isJson && { 'content-type': 'application/json' }) };
  const answer = await fetch(url, {
    method,
    headers,
    body: isJson ? JSON.stringify(body) : (body as FormData | undefined),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

function changesOf(receiver: Receiver, field: string): Record<string, unknown>[] {
  const bodies = receiver.received
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body.toString('utf8')) as UpstreamCallback);
  return bodies
    .flatMap(({ entry }) => entry.flatMap(({ changes }) => changes))
    .filter((change) => change.field === field)
    .map(({ value }) => value);
}

/** Splits every received callback. @throws Error when one is not signed */
export function callbacksOf(receiver: Receiver): ReturnType<typeof splitCallback>[] {
  return receiver.received
    .filter(({ method }) => method === 'POST')
    .map(({ body, headers }) => {
      if (!verifyCallback(body, String(headers['x-hub-signature-256']), APP_SECRET))
        throw new Error('a callback is not signed');
      return splitCallback(JSON.parse(body.toString('utf8')));
    });
}
