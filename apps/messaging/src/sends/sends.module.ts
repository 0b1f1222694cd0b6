import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { SecretBoxModule } from '@switchboard/platform';
import { MediaFilesModule } from '../media-files/media-files.module';
import { NumbersModule } from '../numbers/numbers.module';
import { SpendModule } from '../spend/spend.module';
import { TemplatesModule } from '../templates/templates.module';
import { UpstreamModule } from '../upstream/upstream.module';
import { ContentCheck } from './content-check';
import { KeptUploads } from './kept-uploads';
import { OpenSends } from './open-sends';
import { ReferredMessages } from './referred-messages';
import { SendMedia } from './send-media';
import { SendRepository } from './send.repository';
import { SendService } from './send.service';
import { SendsController } from './sends.controller';
import { UploadCleanup } from './upload-cleanup';
import { UploadService } from './upload.service';
import { UpstreamSender } from './upstream-sender';

@Module({
  imports: [
    BlobsModule,
    MediaFilesModule,
    NumbersModule,
    SecretBoxModule,
    SpendModule,
    TemplatesModule,
    UpstreamModule,
  ],
  controllers: [SendsController],
  providers: [
    ContentCheck,
    KeptUploads,
    OpenSends,
    ReferredMessages,
    SendMedia,
    SendRepository,
    SendService,
    UploadService,
    UploadCleanup,
    UpstreamSender,
  ],
  exports: [SendMedia, SendRepository, UploadService, UpstreamSender],
})
export class SendsModule {}
