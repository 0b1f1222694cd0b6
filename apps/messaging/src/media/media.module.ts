import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { SecretBoxModule } from '@switchboard/platform';
import { UpstreamModule } from '../upstream/upstream.module';
import { MediaFetcher } from './media-fetcher';
import { MediaController } from './media.controller';
import { MediaService } from './media.service';

@Module({
  imports: [BlobsModule, SecretBoxModule, UpstreamModule],
  controllers: [MediaController],
  providers: [MediaFetcher, MediaService],
})
export class MediaModule {}
