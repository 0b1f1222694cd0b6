import { Type } from 'class-transformer';
import { IsBoolean, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { WebhookEndpointRecord, webhookSamples } from '../webhook-records';

export class SwitchEndpointCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
  /** False pauses it: its events wait. True enables it: what waits goes out. */
  @IsBoolean() enabled: boolean;
}

export class SwitchEndpointReply {
  @ValidateNested() @Type(() => WebhookEndpointRecord) endpoint: WebhookEndpointRecord;
}

export const switchEndpointV1 = command({
  name: 'webhooks.switch-endpoint.v1',
  owner: 'webhooks',
  description: 'Pauses or enables a webhook endpoint; a paused one loses nothing, its events wait.',
  request: SwitchEndpointCommand,
  response: SwitchEndpointReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', endpointId: 'ep_01jd0000000000000000000000', enabled: false },
    response: { endpoint: { ...webhookSamples.endpoint, state: 'paused' as const } },
  },
});
