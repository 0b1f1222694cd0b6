import { randomUUID } from 'node:crypto';
import {
  accountNoticeRaisedV1,
  callReceivedV1,
  contactChangedV1,
  jobFinishedV1,
  jobPausedV1,
  messageDeletedV1,
  messageEchoedV1,
  messageEditedV1,
  messageHeldV1,
  messageReceivedV1,
  messageStatusChangedV1,
  numberQualityChangedV1,
  templateStatusChangedV1,
  type WebhookEventKind,
} from '@switchboard/contracts';
import { accountNoticeEvent, messageHeldEvent } from './account-event';
import { messageEchoEvent } from './business-app-event';
import {
  callEvent,
  contactChangedEvent,
  type CustomerEvent,
  inboundMessageEvent,
  jobCompletedEvent,
  jobFailedEvent,
  jobPausedEvent,
  messageDeletedEvent,
  messageEditedEvent,
  messageStatusEvent,
  numberQualityEvent,
  templateStatusEvent,
} from './customer-event';

/** Creates an event of the kind from the samples of the contracts, marked `"test": true`. */
export function testEvent(
  kind: WebhookEventKind,
  { accountId, publicBaseUrl, now }: { accountId: string; publicBaseUrl: string; now: Date },
): CustomerEvent {
  const event = sampleEvent(kind, { accountId, timestamp: now.toISOString() }, publicBaseUrl);
  // Each test event is unique and refers to no real message.
  return { ...event, dedupKey: `test:${randomUUID()}`, messageId: null, fields: { ...event.fields, test: true } };
}

function sampleEvent(
  kind: WebhookEventKind,
  changes: { accountId: string; timestamp: string },
  publicBaseUrl: string,
): CustomerEvent {
  switch (kind) {
    case 'message':
      return inboundMessageEvent({ ...messageReceivedV1.sample, ...changes }, publicBaseUrl);
    case 'message_status':
      return messageStatusEvent({ ...messageStatusChangedV1.sample, ...changes });
    case 'template_status':
      return templateStatusEvent({ ...templateStatusChangedV1.sample, ...changes });
    case 'phone_number_quality':
      return numberQualityEvent({ ...numberQualityChangedV1.sample, ...changes });
    case 'job_completed':
      return jobCompletedEvent({ ...jobFinishedV1.sample, ...changes });
    case 'job_paused':
      return jobPausedEvent({ ...jobPausedV1.sample, ...changes });
    case 'job_failed':
      return jobFailedEvent({
        ...jobFinishedV1.sample,
        error: { code: 'INVALID_VALUE', message: 'the account has no such number' },
        ...changes,
      });
    case 'message_edited':
      return messageEditedEvent({ ...messageEditedV1.sample, ...changes }, publicBaseUrl);
    case 'message_deleted':
      return messageDeletedEvent({ ...messageDeletedV1.sample, ...changes });
    case 'contact_changed':
      return contactChangedEvent({ ...contactChangedV1.sample, ...changes });
    case 'call':
      return callEvent({ ...callReceivedV1.sample, ...changes });
    case 'account_notice':
      return accountNoticeEvent({ ...accountNoticeRaisedV1.sample, ...changes });
    case 'message_held':
      return messageHeldEvent({ ...messageHeldV1.sample, ...changes });
    case 'message_echo':
      return messageEchoEvent({ ...messageEchoedV1.sample, ...changes }, publicBaseUrl);
  }
}
