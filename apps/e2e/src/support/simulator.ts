import { randomInt } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { get } from './api';
import { demo } from './installation';

async function control<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${demo.simulatorUrl}/_control${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  if (!response.ok) throw new Error(`the simulator answered ${response.status} to ${method} ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** A phone number that nobody has used before. */
export function freshPhone(): string {
  return `9198${randomInt(10_000_000, 99_999_999)}`;
}

/** Lets a customer write in; gives the upstream's message id. */
export async function writeIn(from: string, text: string, name?: string): Promise<string> {
  const { messageId } = await control<{ messageId: string }>('POST', '/inbound', { from, type: 'text', text: { body: text }, name, to: demo.phoneNumber });
  return messageId;
}

/** A new customer who has just written in, so that the service window is open. */
export async function contactWithOpenWindow(): Promise<string> {
  const phone = freshPhone();
  const messageId = await writeIn(phone, 'Hello');
  await eventually(async () => expect((await get(`/messages?phone=${phone}&direction=inbound`)).body['messages']).toMatchObject([{ message_id: messageId }]));
  return phone;
}

/** What the upstream platform got for a recipient. */
export async function receivedUpstream(to: string): Promise<{ wamid: string; count: number }[]> {
  const { messages } = await control<{ messages: { wamid: string; count: number }[] }>('GET', `/messages?to=${to}`);
  return messages;
}

/** Lets the upstream platform change a template's state and report it. */
export async function setTemplateStatus(name: string, status: { language: string; event: string; reason?: string }): Promise<void> {
  await control('POST', `/templates/${name}/status`, status);
}
