import { Module } from '@nestjs/common';
import { RatesModule } from '../rates/rates.module';
import { UsageModule } from '../usage/usage.module';
import { SpendCapsController } from './spend-caps.controller';
import { SpendCapsService } from './spend-caps.service';
import { SpendLimiter } from './spend-limiter';
import { SpendMetrics } from './spend-metrics';
import { SpendSettlement } from './spend-settlement';

@Module({
  imports: [RatesModule, UsageModule],
  controllers: [SpendCapsController],
  providers: [SpendCapsService, SpendLimiter, SpendMetrics, SpendSettlement],
  exports: [SpendCapsService, SpendLimiter, SpendSettlement],
})
export class SpendModule {}
