import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { ConsoleMediaController } from './console-media.controller';
import { MediaController } from './media.controller';

@Module({
  imports: [BlobsModule, ServiceClientsModule],
  controllers: [ConsoleMediaController, MediaController],
})
export class MediaModule {}
