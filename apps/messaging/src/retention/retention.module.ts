import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { PartitionFigures } from './partition-figures';
import { PartitionsService } from './partitions.service';
import { RetentionController } from './retention.controller';
import { RetentionService } from './retention.service';

@Module({
  imports: [BlobsModule],
  controllers: [RetentionController],
  providers: [PartitionFigures, PartitionsService, RetentionService],
  exports: [PartitionsService],
})
export class RetentionModule {}
