import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module';
import { ReplaysController } from './replays.controller';
import { ReplaysLoop } from './replays.loop';
import { ReplaysService } from './replays.service';

@Module({
  imports: [DeliveriesModule],
  controllers: [ReplaysController],
  providers: [ReplaysLoop, ReplaysService],
})
export class ReplaysModule {}
