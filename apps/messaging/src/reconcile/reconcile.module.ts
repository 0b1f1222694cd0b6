import { Module } from '@nestjs/common';
import { NumbersModule } from '../numbers/numbers.module';
import { SendsModule } from '../sends/sends.module';
import { ReconcileService } from './reconcile.service';
import { ReconcileTimer } from './reconcile.timer';

@Module({
  imports: [NumbersModule, SendsModule],
  providers: [ReconcileService, ReconcileTimer],
})
export class ReconcileModule {}
