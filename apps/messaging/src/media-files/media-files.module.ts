import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { MediaFilesController } from './media-files.controller';
import { MediaFilesService } from './media-files.service';
import { MediaFilesSweep } from './media-files-sweep';

@Module({
  imports: [BlobsModule, ServiceClientsModule],
  controllers: [MediaFilesController],
  providers: [MediaFilesService, MediaFilesSweep],
  exports: [MediaFilesService],
})
export class MediaFilesModule {}
