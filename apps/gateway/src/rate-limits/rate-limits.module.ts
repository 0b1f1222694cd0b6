import { Module } from '@nestjs/common';
import { CONFIG, LOGGER } from '@switchboard/platform';
import { RateLimits } from './rate-limits';
import { RateStore, rateStoreOf } from './rate-store';
import { ReadLimiter } from './read-limiter';

@Module({
  providers: [RateLimits, { provide: RateStore, useFactory: rateStoreOf, inject: [CONFIG, LOGGER] }, ReadLimiter],
  exports: [RateLimits],
})
export class RateLimitsModule {}
