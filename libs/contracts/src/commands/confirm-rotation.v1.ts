import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';
import { WebhookEndpointRecord, webhookSamples } from '../webhook-records';

export class ConfirmRotationCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
}

export class ConfirmRotationReply {
  @ValidateNested() @Type(() => WebhookEndpointRecord) endpoint: WebhookEndpointRecord;
}

export const confirmRotationV1 = command({
  name: 'webhooks.confirm-rotation.v1',
  owner: 'webhooks',
  description: 'Ends the rotation of a signing secret: from now on only the new one signs. Refused when none is under way.',
  request: ConfirmRotationCommand,
  response: ConfirmRotationReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', endpointId: 'ep_01jd0000000000000000000000' },
    response: { endpoint: webhookSamples.endpoint },
  },
});
