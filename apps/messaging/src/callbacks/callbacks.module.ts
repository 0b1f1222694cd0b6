import { Module } from '@nestjs/common';
import { NumbersModule } from '../numbers/numbers.module';
import { SpendModule } from '../spend/spend.module';
import { IngressHeartbeat } from './ingress-heartbeat';
import { CallbacksController } from './callbacks.controller';
import { CallbacksService } from './callbacks.service';
import { ChangesService } from './changes.service';
import { EchoesService } from './echoes.service';
import { InboundService } from './inbound.service';
import { StatusesService } from './statuses.service';
import { UnroutableCallbacks } from './unroutable-callbacks.service';

@Module({
  imports: [NumbersModule, SpendModule],
  controllers: [CallbacksController],
  providers: [
    IngressHeartbeat,
    CallbacksService,
    ChangesService,
    EchoesService,
    InboundService,
    StatusesService,
    UnroutableCallbacks,
  ],
  exports: [UnroutableCallbacks],
})
export class CallbacksModule {}
