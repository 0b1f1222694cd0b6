import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { NoticesModule } from '../notices/notices.module';
import { UpstreamModule } from '../upstream/upstream.module';
import { NumberCache } from './number-cache';
import { NumberChangesController } from './number-changes.controller';
import { NumberHistoryController } from './number-history.controller';
import { NumberPollService } from './number-poll.service';
import { NumberRemovals } from './number-removals';
import { NumberRemovalsController } from './number-removals.controller';
import { NumbersController } from './numbers.controller';
import { NumbersService } from './numbers.service';
import { OwnerCache } from './owner-cache';
import { SuspendedNumbers } from './suspended-numbers';
import { SuspendedNumbersController } from './suspended-numbers.controller';
import { UpstreamNumbers } from './upstream-numbers';
import { UsernamesController } from './usernames.controller';
import { UsernamesService } from './usernames.service';

@Module({
  imports: [NoticesModule, SecretBoxModule, UpstreamModule],
  controllers: [
    NumbersController,
    NumberChangesController,
    NumberHistoryController,
    NumberRemovalsController,
    SuspendedNumbersController,
    UsernamesController,
  ],
  providers: [
    NumberCache,
    NumberPollService,
    NumberRemovals,
    NumbersService,
    OwnerCache,
    SuspendedNumbers,
    UpstreamNumbers,
    UsernamesService,
  ],
  exports: [NumberCache, NumberRemovals, OwnerCache, SuspendedNumbers, UpstreamNumbers],
})
export class NumbersModule {}
