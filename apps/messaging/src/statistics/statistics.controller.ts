import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  StatisticsSpanCommand,
  type GetMessageStatisticsReply,
  getMessageStatisticsV1,
  type GetPriceStatisticsReply,
  getPriceStatisticsV1,
  type MessageFigures,
} from '@switchboard/contracts';
import { statisticsOf, totalsOf } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { MESSAGE_HOURS, PRICE_HOURS } from './message-hours';

const NONE: MessageFigures = { received: 0, accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0 };

@Controller()
export class StatisticsController {
  constructor(private readonly dataSource: DataSource) {}

  @CommandHandler(getMessageStatisticsV1)
  async getFigures(@Payload() span: StatisticsSpanCommand): Promise<GetMessageStatisticsReply> {
    return { figures: await statisticsOf(this.dataSource, { ...MESSAGE_HOURS, none: NONE }, span) };
  }

  @CommandHandler(getPriceStatisticsV1)
  async getPrices(@Payload() span: StatisticsSpanCommand): Promise<GetPriceStatisticsReply> {
    const rows = await totalsOf(this.dataSource, PRICE_HOURS, span);
    return {
      figures: rows.map(({ at, category, type, billable, total }) => ({
        at: at.toISOString(),
        category: category || null,
        type: type || null,
        billable: billable === '' ? null : billable === 'true',
        messages: total,
      })),
    };
  }
}
