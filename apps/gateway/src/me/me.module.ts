import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { ApiKeysModule } from '../api-keys/api-keys.module';
import { ConsoleAccountController } from './console-account.controller';
import { MeController } from './me.controller';

@Module({
  imports: [AccountsModule, ApiKeysModule],
  controllers: [ConsoleAccountController, MeController],
})
export class MeModule {}
