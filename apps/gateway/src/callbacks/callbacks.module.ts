import { Module } from '@nestjs/common';
import { CallbackHeartbeat } from './callback-heartbeat';
import { CallbacksController } from './callbacks.controller';
import { CallbacksService } from './callbacks.service';

@Module({
  controllers: [CallbacksController],
  providers: [CallbackHeartbeat, CallbacksService],
})
export class CallbacksModule {}
