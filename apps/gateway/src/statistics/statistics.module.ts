import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AccountsModule } from '../accounts/accounts.module';
import { ConsoleFiguresController } from './console-figures.controller';

@Module({
  imports: [AccountsModule, ServiceClientsModule],
  controllers: [ConsoleFiguresController],
})
export class StatisticsModule {}
