import { IsIn, IsString } from 'class-validator';
import { command } from '../message-contract';
import { WEBHOOK_EVENT_KINDS, type WebhookEventKind } from '../webhook-records';

export class SendTestEventCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
  @IsIn(WEBHOOK_EVENT_KINDS) kind: WebhookEventKind;
}

export class SendTestEventReply {
  /** To be found in the log. */
  @IsString() eventId: string;
}

export const sendTestEventV1 = command({
  name: 'webhooks.send-test-event.v1',
  owner: 'webhooks',
  description: 'Sends a made-up event, marked `"test": true`, to one endpoint, whatever kinds it takes; it is signed, tried and logged as any other.',
  request: SendTestEventCommand,
  response: SendTestEventReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', endpointId: 'ep_01jd0000000000000000000000', kind: 'message' as WebhookEventKind },
    response: { eventId: 'evt_01jd0000000000000000000000' },
  },
});
