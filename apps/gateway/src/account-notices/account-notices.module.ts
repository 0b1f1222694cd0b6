import { Module } from '@nestjs/common';
import { AccountNoticesController } from './account-notices.controller';
import { ConsoleAccountNoticesController } from './console-account-notices.controller';

@Module({
  controllers: [AccountNoticesController, ConsoleAccountNoticesController],
})
export class AccountNoticesModule {}
