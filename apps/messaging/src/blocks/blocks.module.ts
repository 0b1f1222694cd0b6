import { Module } from '@nestjs/common';
import { NumbersModule } from '../numbers/numbers.module';
import { BlockReads } from './block-reads';
import { BlocksController } from './blocks.controller';
import { BlocksService } from './blocks.service';

@Module({
  imports: [NumbersModule],
  controllers: [BlocksController],
  providers: [BlockReads, BlocksService],
})
export class BlocksModule {}
