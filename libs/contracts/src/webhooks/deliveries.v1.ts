import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { event } from '../message-contract';

/** Maximum number of accounts in one event. */
export const ATTEMPTED_ACCOUNTS_MAX = 200;

export class DeliveriesAttemptedV1 {
  /** IDs of the accounts. */
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(ATTEMPTED_ACCOUNTS_MAX) @IsString({ each: true }) accountIds: string[];
}

export const deliveriesAttemptedV1 = event({
  name: 'webhooks.deliveries.attempted.v1',
  producer: 'webhooks',
  consumers: [],
  broadcastTo: ['gateway'],
  description:
    'Deliveries of these accounts were attempted, so that their webhook logs changed. Every gateway notifies the browsers of the accounts.',
  body: DeliveriesAttemptedV1,
  sample: { accountIds: ['acc_01jd0000000000000000000000'] },
});
