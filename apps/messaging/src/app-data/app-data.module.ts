import { Module } from '@nestjs/common';
import { CallbacksModule } from '../callbacks/callbacks.module';
import { NumbersModule } from '../numbers/numbers.module';
import { RetentionModule } from '../retention/retention.module';
import { AppDataController } from './app-data.controller';
import { AppDataService } from './app-data.service';
import { HistoryService } from './history.service';

@Module({
  imports: [CallbacksModule, NumbersModule, RetentionModule],
  controllers: [AppDataController],
  providers: [AppDataService, HistoryService],
})
export class AppDataModule {}
