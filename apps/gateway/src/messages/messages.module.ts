import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { FormStoreModule } from '../http/form-store.module';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { ConsoleMessagesController } from './console-messages.controller';
import { ConsoleReceiptsController } from './console-receipts.controller';
import { ConsoleSendsController } from './console-sends.controller';
import { MessageAuthors } from './message-authors';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';
import { OpenSends } from './open-sends';
import { ReceiptsController } from './receipts.controller';
import { ReceiptsService } from './receipts.service';
import { SendsService } from './sends.service';
import { SendController } from './send.controller';
import { UploadsService } from './uploads.service';

@Module({
  imports: [AuditLogModule, BlobsModule, FormStoreModule, IdempotencyModule, ServiceClientsModule],
  controllers: [
    ConsoleMessagesController,
    ConsoleReceiptsController,
    ConsoleSendsController,
    MessagesController,
    ReceiptsController,
    SendController,
  ],
  providers: [MessageAuthors, MessagesService, OpenSends, ReceiptsService, SendsService, UploadsService],
  exports: [MessageAuthors, MessagesService],
})
export class MessagesModule {}
