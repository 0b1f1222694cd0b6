import { Module } from '@nestjs/common';
import { RateLimitsModule } from '../rate-limits/rate-limits.module';
import { SessionsModule } from '../sessions/sessions.module';
import { ConsoleLiveController } from './console-live.controller';
import { ConsolePresenceController } from './console-presence.controller';
import { LiveChangesController } from './live-changes.controller';
import { LiveStreams } from './live-streams.service';

@Module({
  imports: [RateLimitsModule, SessionsModule],
  controllers: [ConsoleLiveController, ConsolePresenceController, LiveChangesController],
  providers: [LiveStreams],
})
export class LiveModule {}
