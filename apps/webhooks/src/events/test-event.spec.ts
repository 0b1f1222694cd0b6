import * as contracts from '@switchboard/contracts';
import { type BodyClass, parseBody, WEBHOOK_EVENT_KINDS, type WebhookEventKind } from '@switchboard/contracts';
import { eventBody } from './customer-event';
import { testEvent } from './test-event';

const OPTIONS = { accountId: 'acc_1', publicBaseUrl: 'https://api.example.com', now: new Date('2026-03-02T10:16:00Z') };

/** Returns the body class of a kind, such as `JobCompletedEvent` for `job_completed`. */
function bodyClassOf(kind: WebhookEventKind): BodyClass {
  const words = kind.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return contracts[`${words.join('')}Event` as keyof typeof contracts] as BodyClass;
}

describe('testEvent', () => {
  it.each(WEBHOOK_EVENT_KINDS)('creates %s with exactly the fields of its body class', (kind) => {
    const body = JSON.parse(eventBody(testEvent(kind, OPTIONS), 'evt_1').toString()) as Record<string, unknown>;
    const { test, ...fields } = body;
    expect(test).toBe(true);
    expect(fields).toMatchObject({ event: kind, timestamp: expect.any(String) as string, eventId: 'evt_1' });
    expect({ ...parseBody(bodyClassOf(kind), fields) }).toEqual(fields);
  });
});
