import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module';
import { ConsoleLiveController } from './console-live.controller';
import { LiveChangesController } from './live-changes.controller';
import { LiveStreams } from './live-streams.service';

@Module({
  imports: [SessionsModule],
  controllers: [ConsoleLiveController, LiveChangesController],
  providers: [LiveStreams],
})
export class LiveModule {}
