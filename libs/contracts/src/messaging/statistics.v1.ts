import { IsBoolean, IsInt, IsString } from 'class-validator';
import { BodySchema, Doc, IsTime, ListOf, OrNull } from '../body-docs';
import { StatisticsSpanCommand, statisticsSpanSample } from '../statistics-span';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';

/** Messages of one hour or day by current status, counted as in lists. */
@BodySchema({ name: 'MessageFigures' })
export class MessageFigures {
  @Doc('Number of messages received from customers') @IsInt() received: number;
  @Doc('Number of messages accepted by the upstream platform, with no further status reported')
  @IsInt()
  accepted: number;
  @IsInt() sent: number;
  @IsInt() delivered: number;
  @IsInt() read: number;
  @IsInt() failed: number;
}

export class MessageFiguresOf extends MessageFigures {
  /** Start of the hour or day. */
  @IsTime() at: string;
}

export class GetMessageStatisticsReply {
  /** Hours or days with data, oldest first. */
  @ListOf(() => MessageFiguresOf) figures: MessageFiguresOf[];
}

export const getMessageStatisticsV1 = command({
  name: 'messaging.get-figures.v1',
  owner: 'messaging',
  description: "Returns the number of an account's messages in each state, by hour or by day.",
  request: StatisticsSpanCommand,
  response: GetMessageStatisticsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: statisticsSpanSample,
    response: {
      figures: [
        {
          at: '2026-03-02T00:00:00.000Z',
          received: 12,
          accepted: 1,
          sent: 4,
          delivered: 90,
          read: 57,
          failed: 3,
        },
      ],
    },
  },
});

/** Messages with the same upstream pricing. A field is null if upstream did not report it. */
@BodySchema({
  name: 'PriceFigures',
  example: () => ({ category: 'utility', type: 'regular', billable: true, messages: 51 }),
})
export class PriceFigures {
  @Doc('Pricing category, such as `marketing`, `marketing_lite`, `utility`, `authentication` or `service`')
  @OrNull()
  @IsString()
  category: string | null;
  @Doc('`regular`, or the reason why the messages are free: `free_customer_service`, `free_entry_point`')
  @OrNull()
  @IsString()
  type: string | null;
  @Doc('Whether the platform charges for the messages') @OrNull() @IsBoolean() billable: boolean | null;
  @IsInt() messages: number;
}

export class PriceFiguresOf extends PriceFigures {
  /** Start of the hour or day. */
  @IsTime() at: string;
}

export class GetPriceStatisticsReply {
  /** Entries of hours or days with data, oldest first. */
  @ListOf(() => PriceFiguresOf) figures: PriceFiguresOf[];
}

export const getPriceStatisticsV1 = command({
  name: 'messaging.get-price-figures.v1',
  owner: 'messaging',
  description: "Returns the number of an account's messages per pricing of the upstream platform, by hour or by day.",
  request: StatisticsSpanCommand,
  response: GetPriceStatisticsReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: statisticsSpanSample,
    response: {
      figures: [{ at: '2026-03-02T00:00:00.000Z', category: 'utility', type: 'regular', billable: true, messages: 51 }],
    },
  },
});
