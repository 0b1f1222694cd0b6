import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { FormStoreModule } from '../http/form-store.module';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { ConsoleMediaController } from './console-media.controller';
import { MediaController } from './media.controller';
import { MediaService } from './media.service';
import { MediaUploadsService } from './media-uploads.service';

@Module({
  imports: [AuditLogModule, BlobsModule, FormStoreModule, IdempotencyModule, ServiceClientsModule],
  controllers: [ConsoleMediaController, MediaController],
  providers: [MediaService, MediaUploadsService],
})
export class MediaModule {}
