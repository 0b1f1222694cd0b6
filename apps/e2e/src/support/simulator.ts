import { randomInt } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { api } from './api';
import { demo } from './installation';

/** Calls the simulator's control API, which controls the upstream platform and the customers' phones. */
export async function control<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${demo.simulatorUrl}/_control${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  if (!response.ok)
    throw new Error(`the simulator answered ${response.status} to ${method} ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Returns an unused phone number. */
export function freshPhone(): string {
  return `9198${randomInt(10_000_000, 99_999_999)}`;
}

/** Sends a customer's text to a business number and returns the upstream message id. */
export function writeIn(from: string, text: string, options: { name?: string; to?: string } = {}): Promise<string> {
  return writeInAny({ from, type: 'text', text: { body: text }, ...options });
}

/** Sends any message of a customer. `to` is a business number, by default that of the demo account. */
export async function writeInAny(message: {
  from: string;
  type: string;
  to?: string;
  [field: string]: unknown;
}): Promise<string> {
  const { messageId } = await control<{ messageId: string }>('POST', '/inbound', { to: demo.phoneNumber, ...message });
  return messageId;
}

/** Returns a new customer who has just written, so that the service window is open. */
export async function contactWithOpenWindow(): Promise<string> {
  const phone = freshPhone();
  const messageId = await writeIn(phone, 'Hello');
  await eventually(async () =>
    expect((await api.listMessages({ phone, direction: 'inbound' })).messages).toMatchObject([
      { message_id: messageId },
    ]),
  );
  return phone;
}

/** Message as received by the upstream platform. */
export interface UpstreamMessage {
  wamid: string;
  phoneNumberId: string;
  body: Record<string, unknown>;
  /** Number of times this message was accepted. */
  count: number;
}

/** Returns the upstream messages of a recipient, newest first. */
export async function receivedUpstream(to: string): Promise<UpstreamMessage[]> {
  const { messages } = await control<{ messages: UpstreamMessage[] }>('GET', `/messages?to=${to}`);
  return messages;
}

/** Changes a template's state at the upstream platform, which reports it. */
export async function setTemplateStatus(
  name: string,
  status: { language: string; event: string; reason?: string },
): Promise<void> {
  await control('POST', `/templates/${name}/status`, status);
}
