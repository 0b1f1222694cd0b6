import { Module } from '@nestjs/common';
import { RateCards } from './rate-cards';
import { RatesController } from './rates.controller';
import { RatesService } from './rates.service';

@Module({
  controllers: [RatesController],
  providers: [RateCards, RatesService],
  exports: [RateCards, RatesService],
})
export class RatesModule {}
