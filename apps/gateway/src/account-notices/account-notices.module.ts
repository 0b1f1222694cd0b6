import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AccountNoticesController } from './account-notices.controller';
import { ConsoleAccountNoticesController } from './console-account-notices.controller';

@Module({
  imports: [ServiceClientsModule],
  controllers: [AccountNoticesController, ConsoleAccountNoticesController],
})
export class AccountNoticesModule {}
