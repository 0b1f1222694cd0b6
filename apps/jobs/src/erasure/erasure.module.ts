import { Module } from '@nestjs/common';
import { EraseController, EraseService } from './erase.controller';

@Module({
  controllers: [EraseController],
  providers: [EraseService],
})
export class ErasureModule {}
