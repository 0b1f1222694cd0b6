import { Module } from '@nestjs/common';
import { AccountRetention } from './account-retention';
import { AccountRetentionController } from './account-retention.controller';
import { EraseController } from './erase.controller';
import { Retention } from './retention';

@Module({
  controllers: [AccountRetentionController, EraseController],
  providers: [AccountRetention, Retention],
})
export class RetentionModule {}
