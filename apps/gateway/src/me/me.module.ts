import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AccountsModule } from '../accounts/accounts.module';
import { ApiKeysModule } from '../api-keys/api-keys.module';
import { ConsoleAccountController } from './console-account.controller';
import { ConsoleFirstStepsController } from './console-first-steps.controller';
import { MeController } from './me.controller';

@Module({
  imports: [AccountsModule, ApiKeysModule, ServiceClientsModule],
  controllers: [ConsoleAccountController, ConsoleFirstStepsController, MeController],
})
export class MeModule {}
