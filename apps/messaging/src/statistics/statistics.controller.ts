import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  FigureSpanCommand,
  type GetMessageFiguresReply,
  getMessageFiguresV1,
  type GetPriceFiguresReply,
  getPriceFiguresV1,
  type MessageFigures,
} from '@switchboard/contracts';
import { figuresOf, totalsOf } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { MESSAGE_HOURS, PRICE_HOURS } from './message-hours';

const NONE: MessageFigures = { received: 0, accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0 };

@Controller()
export class StatisticsController {
  constructor(private readonly dataSource: DataSource) {}

  @CommandHandler(getMessageFiguresV1)
  async getFigures(@Payload() span: FigureSpanCommand): Promise<GetMessageFiguresReply> {
    return { figures: await figuresOf(this.dataSource, { ...MESSAGE_HOURS, none: NONE }, span) };
  }

  @CommandHandler(getPriceFiguresV1)
  async getPrices(@Payload() span: FigureSpanCommand): Promise<GetPriceFiguresReply> {
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
