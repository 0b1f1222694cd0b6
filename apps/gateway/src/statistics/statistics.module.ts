import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { ConsoleFiguresController } from './console-figures.controller';

@Module({
  imports: [AccountsModule],
  controllers: [ConsoleFiguresController],
})
export class StatisticsModule {}
