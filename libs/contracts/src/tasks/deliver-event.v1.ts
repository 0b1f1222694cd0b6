import { IsString } from 'class-validator';
import { task } from '../message-contract';

/** The delays of the four webhook retries, in seconds (spec §11.5.2). */
export const WEBHOOK_RETRY_DELAYS_SECONDS = [5, 30, 300, 1800] as const;
/** What follows them where an endpoint has the extended schedule: 2, 6, 12, 24 and 24 hours, so that an event has less than three days (spec §11.5.5). */
export const WEBHOOK_EXTENDED_DELAYS_SECONDS = [7_200, 21_600, 43_200, 86_400, 86_400] as const;

/** Points at a row of webhooks' deliveries: the row, not the message, is the truth. */
export class DeliverEventV1 {
  @IsString() deliveryId: string;
}

export const deliverEventV1 = task({
  name: 'webhooks.deliver-event.v1',
  owner: 'webhooks',
  description: "Makes the next attempt of a delivery when it is due: one POST to the customer's endpoint.",
  body: DeliverEventV1,
  delaysSeconds: WEBHOOK_RETRY_DELAYS_SECONDS,
  sample: { deliveryId: 'dlv_01jd0000000000000000000000' },
});
