import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  FigureSpanCommand,
  type GetDeliveryFiguresReply,
  getDeliveryFiguresV1,
  type DeliveryFigures,
} from '@switchboard/contracts';
import { figuresOf } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { DELIVERY_HOURS } from './delivery-hours';

const NONE: DeliveryFigures = { delivered: 0, dropped: 0 };

@Controller()
export class StatisticsController {
  constructor(private readonly dataSource: DataSource) {}

  @CommandHandler(getDeliveryFiguresV1)
  async getFigures(@Payload() span: FigureSpanCommand): Promise<GetDeliveryFiguresReply> {
    return { figures: await figuresOf(this.dataSource, { ...DELIVERY_HOURS, none: NONE }, span) };
  }
}
