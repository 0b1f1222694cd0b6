import { Type } from 'class-transformer';
import { IsArray, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { WebhookEndpointRecord, webhookSamples } from '../webhook-records';

export class ListEndpointsCommand {
  @IsString() accountId: string;
}

export class ListEndpointsReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => WebhookEndpointRecord) endpoints: WebhookEndpointRecord[];
}

export const listEndpointsV1 = command({
  name: 'webhooks.list-endpoints.v1',
  owner: 'webhooks',
  description: "All webhook endpoints of an account, the oldest first.",
  request: ListEndpointsCommand,
  response: ListEndpointsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000' }, response: { endpoints: [webhookSamples.endpoint] } },
});
