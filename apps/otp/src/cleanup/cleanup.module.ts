import { Module } from '@nestjs/common';
import { EraseController } from './erase.controller';
import { CleanupService } from './cleanup.service';

@Module({
  controllers: [EraseController],
  providers: [CleanupService],
})
export class CleanupModule {}
