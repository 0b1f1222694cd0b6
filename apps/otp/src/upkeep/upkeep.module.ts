import { Module } from '@nestjs/common';
import { EraseController } from './erase.controller';
import { Purge } from './purge';

@Module({
  controllers: [EraseController],
  providers: [Purge],
})
export class UpkeepModule {}
