import { IsInt, IsString } from 'class-validator';
import { command } from '../message-contract';

export class DeleteEndpointCommand {
  @IsString() accountId: string;
  @IsString() endpointId: string;
}

export class DeleteEndpointReply {
  /** Deliveries that waited for it and are dropped now. */
  @IsInt() dropped: number;
}

export const deleteEndpointV1 = command({
  name: 'webhooks.delete-endpoint.v1',
  owner: 'webhooks',
  description: 'Removes a webhook endpoint for good; what waits for it is dropped and stays in the log.',
  request: DeleteEndpointCommand,
  response: DeleteEndpointReply,
  changes: true,
  timeoutMs: 10_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', endpointId: 'ep_01jd0000000000000000000000' },
    response: { dropped: 3 },
  },
});
