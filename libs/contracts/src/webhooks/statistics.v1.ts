import { IsInt } from 'class-validator';
import { BodySchema, Doc, IsTime, ListOf } from '../body-docs';
import { StatisticsSpanCommand, statisticsSpanSample } from '../statistics-span';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';

/** Finished deliveries that were stored in one hour or day. */
@BodySchema({ name: 'DeliveryFigures' })
export class DeliveryFigures {
  @IsInt() delivered: number;
  @Doc('Number of deliveries dropped after the last attempt, whether replayed or not') @IsInt() dropped: number;
}

export class DeliveryFiguresOf extends DeliveryFigures {
  /** Start of the hour or day. */
  @IsTime() at: string;
}

export class GetDeliveryStatisticsReply {
  /** Hours or days with data, oldest first. */
  @ListOf(() => DeliveryFiguresOf) figures: DeliveryFiguresOf[];
}

export const getDeliveryStatisticsV1 = command({
  name: 'webhooks.get-figures.v1',
  owner: 'webhooks',
  description: "Returns the number of an account's delivered and dropped deliveries, by hour or by day.",
  request: StatisticsSpanCommand,
  response: GetDeliveryStatisticsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: statisticsSpanSample,
    response: { figures: [{ at: '2026-03-02T00:00:00.000Z', delivered: 164, dropped: 2 }] },
  },
});
