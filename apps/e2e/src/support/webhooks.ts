import { type WebhookEvent, verifyWebhook } from '@switchboard/client';
import pg from 'pg';
import { done, readKept } from './installation';
import { acceptingChallenge, type Receiver, startReceiver } from '@switchboard/testing';

export interface Listener {
  receiver: Receiver;
  /** Signing secret of the endpoint, in the form shown to the customer. */
  secret: string;
  /** Returns all events with a valid signature, oldest first. */
  events(): WebhookEvent[];
  about(messageId: unknown): WebhookEvent[];
}

/** Starts a customer's server that receives all events of an account. */
export async function listenFor(accountId: string): Promise<Listener> {
  const receiver = await startReceiver();
  receiver.respondWith(acceptingChallenge('my-token'));
  const { secret } = await done(
    'webhooks',
    'set',
    '--account',
    accountId,
    '--url',
    `${receiver.url}/hook`,
    '--verify-token',
    'my-token',
  );
  const events = (): WebhookEvent[] =>
    receiver.received
      .filter(({ method }) => method === 'POST')
      .map(({ body, headers }) => verifyWebhook(body, headers, String(secret)));
  return {
    receiver,
    secret: String(secret),
    events,
    about: (messageId) => events().filter((event) => 'messageId' in event && event.messageId === messageId),
  };
}

const DUE = `
  UPDATE webhooks.pending_deliveries SET next_attempt_at = now() WHERE account_id = $1 AND next_attempt_at > now()`;

/** Makes pending retries due immediately, because all retries of an event together take more than half an hour. */
export async function passRetryDelays(accountId: string): Promise<void> {
  const { postgres } = readKept<{ postgres: { url: string } }>('infra.json');
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query(DUE, [accountId]);
  } finally {
    await client.end();
  }
}
