import { Module } from '@nestjs/common';
import { StatisticsRollup } from './statistics-rollup';
import { StatisticsController } from './statistics.controller';

@Module({
  controllers: [StatisticsController],
  providers: [StatisticsRollup],
})
export class StatisticsModule {}
