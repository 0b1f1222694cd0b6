import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { ConsoleMediaController } from './console-media.controller';
import { MediaController } from './media.controller';

@Module({
  imports: [BlobsModule],
  controllers: [ConsoleMediaController, MediaController],
})
export class MediaModule {}
