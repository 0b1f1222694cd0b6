import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { FormStoreModule } from '../http/form-store.module';
import { ConsoleHeaderSamplesController } from './console-header-samples.controller';
import { ConsoleManagedTemplatesController } from './console-managed-templates.controller';
import { ConsoleTemplateDraftsController } from './console-template-drafts.controller';
import { ConsoleTemplateSyncController } from './console-template-sync.controller';
import { HeaderSamplesService } from './header-samples.service';
import { SampleFilesService } from './sample-files.service';
import { TemplateChanges } from './template-changes';
import { TemplatesController } from './templates.controller';

@Module({
  imports: [AuditLogModule, BlobsModule, FormStoreModule, ServiceClientsModule],
  controllers: [
    ConsoleHeaderSamplesController,
    ConsoleManagedTemplatesController,
    ConsoleTemplateDraftsController,
    ConsoleTemplateSyncController,
    TemplatesController,
  ],
  providers: [HeaderSamplesService, SampleFilesService, TemplateChanges],
})
export class TemplatesModule {}
