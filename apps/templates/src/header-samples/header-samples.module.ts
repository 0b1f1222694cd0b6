import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { HeaderSamplesController } from './header-samples.controller';
import { HeaderSamples } from './header-samples.service';
import { SampleCleanup } from './sample-cleanup';

@Module({
  imports: [BlobsModule],
  controllers: [HeaderSamplesController],
  providers: [HeaderSamples, SampleCleanup],
  exports: [HeaderSamples],
})
export class HeaderSamplesModule {}
