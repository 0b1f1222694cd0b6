import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { HeaderSamplesController } from './header-samples.controller';
import { HeaderSamples } from './header-samples.service';
import { SamplePurge } from './sample-purge';

@Module({
  imports: [BlobsModule],
  controllers: [HeaderSamplesController],
  providers: [HeaderSamples, SamplePurge],
  exports: [HeaderSamples],
})
export class HeaderSamplesModule {}
