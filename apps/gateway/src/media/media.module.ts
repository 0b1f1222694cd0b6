import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { ConsoleMediaController } from './console-media.controller';
import { MediaController } from './media.controller';
import { MediaService } from './media.service';

@Module({
  imports: [BlobsModule, ServiceClientsModule],
  controllers: [ConsoleMediaController, MediaController],
  providers: [MediaService],
})
export class MediaModule {}
