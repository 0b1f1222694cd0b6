import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { FiguresController } from './console-figures.controller';

@Module({
  imports: [AccountsModule],
  controllers: [FiguresController],
})
export class StatisticsModule {}
