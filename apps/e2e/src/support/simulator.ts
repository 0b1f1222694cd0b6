import { randomInt } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { api } from './api';
import { demo } from './installation';

/** A call of the simulator's control API, which steers the upstream platform and the customers' phones. */
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

/** A phone number that nobody has used before. */
export function freshPhone(): string {
  return `9198${randomInt(10_000_000, 99_999_999)}`;
}

/** Lets a customer write in to a number of ours; gives the upstream's message id. */
export function writeIn(from: string, text: string, options: { name?: string; to?: string } = {}): Promise<string> {
  return writeInAny({ from, type: 'text', text: { body: text }, ...options });
}

/** Lets a customer send anything; `to` is one of our numbers, the demo account's when absent. */
export async function writeInAny(message: {
  from: string;
  type: string;
  to?: string;
  [field: string]: unknown;
}): Promise<string> {
  const { messageId } = await control<{ messageId: string }>('POST', '/inbound', { to: demo.phoneNumber, ...message });
  return messageId;
}

/** A new customer who has just written in, so that the service window is open. */
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

/** A message as the upstream platform got it. */
export interface UpstreamMessage {
  wamid: string;
  phoneNumberId: string;
  /** The request as it came. */
  body: Record<string, unknown>;
  /** How often this very message was accepted. */
  count: number;
}

/** What the upstream platform got for a recipient, the newest first. */
export async function receivedUpstream(to: string): Promise<UpstreamMessage[]> {
  const { messages } = await control<{ messages: UpstreamMessage[] }>('GET', `/messages?to=${to}`);
  return messages;
}

/** Lets the upstream platform change a template's state and report it. */
export async function setTemplateStatus(
  name: string,
  status: { language: string; event: string; reason?: string },
): Promise<void> {
  await control('POST', `/templates/${name}/status`, status);
}
