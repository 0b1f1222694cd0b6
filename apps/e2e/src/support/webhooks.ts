import { type WebhookEvent, verifyWebhook } from '@switchboard/client';
import pg from 'pg';
import { done, readKept } from './installation';
import { acceptingChallenge, type Receiver, startReceiver } from '@switchboard/testing';

export interface Listener {
  receiver: Receiver;
  /** The endpoint's, as it was shown. */
  secret: string;
  /** Every event so far, the oldest first, as far as its signature is right. */
  events(): WebhookEvent[];
  /** Those about one message. */
  about(messageId: unknown): WebhookEvent[];
}

/** A customer's server that gets all events of an account. */
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

/** As if the time until the next attempt had passed: the retries of an event take more than half an hour. */
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
