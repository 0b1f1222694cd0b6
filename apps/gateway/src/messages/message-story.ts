import { AppError, type FollowedMessage, type WebhookEventDetail } from '@switchboard/contracts';
import type { JobsClient, WebhooksClient } from '@switchboard/service-clients';

/** Maximum events per message. A message has few unless statuses are reported repeatedly. */
const MOST_EVENTS = 50;

/** Returns the bulk job that sent a message; null if it was deleted. */
export async function jobOf(jobs: JobsClient, accountId: string, jobId: string): Promise<object | null> {
  try {
    const { job } = await jobs.getJob({ accountId, jobId });
    const { type, status, pauseReason, template, total, failed, createdAt, startedAt, completedAt } = job;
    return { jobId, type, status, pauseReason, template, total, failed, createdAt, startedAt, completedAt };
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Returns the webhook events of a message with their deliveries and attempts. */
export async function webhooksOf(
  webhooks: WebhooksClient,
  { accountId, id, upstreamId }: Pick<FollowedMessage, 'accountId' | 'id' | 'upstreamId'>,
): Promise<object> {
  // Events of a failure before the upstream platform assigned an id have the internal id.
  const names = upstreamId === null ? [id] : [upstreamId, id];
  const lists = await Promise.all(
    names.map((messageId) => webhooks.listEvents({ accountId, messageId, limit: MOST_EVENTS })),
  );
  const ids = lists.flatMap(({ events }) => events.map((event) => event.id)).sort();
  const events: WebhookEventDetail[] = [];
  for (const eventId of ids) events.push((await webhooks.getEvent({ accountId, eventId })).event);
  const deliveries = events.flatMap((event) =>
    event.deliveries.map((delivery) => ({ ...delivery, deliveryId: delivery.id, eventId: event.id })),
  );
  return {
    events: events.map(({ id: eventId, kind, body, occurredAt, createdAt }) => ({
      eventId,
      kind,
      status: statusIn(body),
      occurredAt,
      createdAt,
    })),
    deliveries: deliveries.map(({ deliveryId, eventId, endpointId, state, finishedAt }) => ({
      deliveryId,
      eventId,
      endpointId,
      state,
      finishedAt,
    })),
    attempts: deliveries.flatMap(({ deliveryId, attempts }) =>
      attempts.map(({ attempt, startedAt, durationMs, statusCode, errorClass }) => ({
        deliveryId,
        attempt,
        startedAt,
        durationMs,
        statusCode,
        errorClass,
      })),
    ),
  };
}

/** Returns the status in an event body, the rest of which is customer data. */
function statusIn(body: string): string | null {
  const { status } = JSON.parse(body) as { status?: unknown };
  return typeof status === 'string' ? status : null;
}
