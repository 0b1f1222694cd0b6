import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  GetOtpStatisticsCommand,
  getOtpStatisticsV1,
  type OtpFigures,
  type OtpFiguresReply,
} from '@switchboard/contracts';
import { DataSource } from 'typeorm';
import { countsByDay } from './statistics.queries';

@Controller()
export class StatisticsController {
  constructor(private readonly dataSource: DataSource) {}

  @CommandHandler(getOtpStatisticsV1)
  async getFigures(@Payload() { accountId, days }: GetOtpStatisticsCommand): Promise<OtpFiguresReply> {
    const counts = await countsByDay(this.dataSource, accountId, days);
    const total = { sent: 0, failed: 0, verified: 0, refused: 0 };
    for (const day of counts)
      for (const name of ['sent', 'failed', 'verified', 'refused'] as const) total[name] += day[name];
    return { total: withConversion(total), days: counts.map(withConversion) };
  }
}

function withConversion<Counts extends Omit<OtpFigures, 'conversion'>>(counts: Counts): Counts & OtpFigures {
  const { sent, verified } = counts;
  return { ...counts, conversion: sent === 0 ? null : Math.round((verified / sent) * 10_000) / 10_000 };
}
