import { Type } from 'class-transformer';
import { IsArray, IsInt, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { WebhookDeliveryRecord, WebhookEventRecord, webhookSamples } from '../webhook-records';

/** One request of ours and what came back. */
export class WebhookAttemptRecord {
  @IsInt() attempt: number;
  /** Where the request went. */
  @IsString() url: string;
  /** Those of the request, but for the signatures, which are made of the secret each time. */
  @IsObject() requestHeaders: Record<string, string>;
  @IsString() startedAt: string;
  /** Null while it is under way, or when the process that made it died before it could write down the result. */
  @IsOptional() @IsString() finishedAt: string | null;
  @IsOptional() @IsInt() durationMs: number | null;
  @IsOptional() @IsInt() statusCode: number | null;
  /** dns, connect, tls, timeout, status, reset, body or blocked (the URL guard refused it); null on success. */
  @IsOptional() @IsString() errorClass: string | null;
  /** The first KiB of the answer as text. */
  @IsOptional() @IsString() answer: string | null;
}

export class WebhookDeliveryDetail extends WebhookDeliveryRecord {
  @IsArray() @ValidateNested({ each: true }) @Type(() => WebhookAttemptRecord) attempts: WebhookAttemptRecord[];
}

export class WebhookEventDetail extends WebhookEventRecord {
  /** The very text that is sent. */
  @IsString() body: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => WebhookDeliveryDetail) declare deliveries: WebhookDeliveryDetail[];
}

export class GetEventCommand {
  @IsString() accountId: string;
  @IsString() eventId: string;
}

export class GetEventReply {
  @ValidateNested() @Type(() => WebhookEventDetail) event: WebhookEventDetail;
}

export const getEventV1 = command({
  name: 'webhooks.get-event.v1',
  owner: 'webhooks',
  description: 'One webhook event with its body, its deliveries and every attempt: request and answer.',
  request: GetEventCommand,
  response: GetEventReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', eventId: 'evt_01jd0000000000000000000000' },
    response: {
      event: {
        ...webhookSamples.event,
        kind: 'message_status',
        body: '{"event":"message_status","messageId":"wamid.OUT","eventId":"evt_01jd0000000000000000000000"}',
        deliveries: [
          {
            ...webhookSamples.delivery,
            attempts: [
              {
                attempt: 1,
                url: 'https://example.com/hook',
                requestHeaders: { 'X-Service-Event-Id': 'evt_01jd0000000000000000000000', 'X-Service-Attempt': '1' },
                startedAt: '2026-03-02T10:15:04.210Z',
                finishedAt: '2026-03-02T10:15:04.260Z',
                durationMs: 50,
                statusCode: 500,
                errorClass: 'status',
                answer: 'out of order',
              },
            ],
          },
        ],
      },
    },
  },
});
