import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AccountsModule } from '../accounts/accounts.module';
import { ConsoleStatisticsController } from './console-statistics.controller';

@Module({
  imports: [AccountsModule, ServiceClientsModule],
  controllers: [ConsoleStatisticsController],
})
export class StatisticsModule {}
