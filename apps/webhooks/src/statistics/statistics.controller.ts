import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  StatisticsSpanCommand,
  type GetDeliveryStatisticsReply,
  getDeliveryStatisticsV1,
  type DeliveryFigures,
} from '@switchboard/contracts';
import { statisticsOf } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { DELIVERY_HOURS } from './delivery-hours';

const NONE: DeliveryFigures = { delivered: 0, dropped: 0 };

@Controller()
export class StatisticsController {
  constructor(private readonly dataSource: DataSource) {}

  @CommandHandler(getDeliveryStatisticsV1)
  async getFigures(@Payload() span: StatisticsSpanCommand): Promise<GetDeliveryStatisticsReply> {
    return { figures: await statisticsOf(this.dataSource, { ...DELIVERY_HOURS, none: NONE }, span) };
  }
}
