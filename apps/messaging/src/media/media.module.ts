import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { SecretBoxModule } from '@switchboard/platform';
import { MediaFilesModule } from '../media-files/media-files.module';
import { UpstreamModule } from '../upstream/upstream.module';
import { MediaFetcher } from './media-fetcher';
import { MediaController } from './media.controller';
import { MediaService } from './media.service';

@Module({
  imports: [BlobsModule, MediaFilesModule, SecretBoxModule, UpstreamModule],
  controllers: [MediaController],
  providers: [MediaFetcher, MediaService],
})
export class MediaModule {}
