import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { PartitionMetrics } from './partition-metrics';
import { PartitionsService } from './partitions.service';
import { RetentionController } from './retention.controller';
import { RetentionService } from './retention.service';

@Module({
  imports: [BlobsModule],
  controllers: [RetentionController],
  providers: [PartitionMetrics, PartitionsService, RetentionService],
  exports: [PartitionsService],
})
export class RetentionModule {}
