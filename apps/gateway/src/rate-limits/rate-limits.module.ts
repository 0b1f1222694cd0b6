import { Module } from '@nestjs/common';
import { CONFIG, LOGGER } from '@switchboard/platform';
import { RateLimits } from './rate-limits';
import { RateStore, rateStoreOf } from './rate-store';
import { ReadPlaces } from './read-places';

@Module({
  providers: [RateLimits, { provide: RateStore, useFactory: rateStoreOf, inject: [CONFIG, LOGGER] }, ReadPlaces],
  exports: [RateLimits],
})
export class RateLimitsModule {}
