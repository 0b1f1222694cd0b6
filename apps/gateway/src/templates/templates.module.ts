import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { HeaderSamplesController } from './console-header-samples.controller';
import { ManagedTemplatesController } from './console-managed-templates.controller';
import { TemplateDraftsController } from './console-template-drafts.controller';
import { TemplateSyncController } from './console-template-sync.controller';
import { HeaderSamplesService } from './header-samples.service';
import { TemplateChanges } from './template-changes';
import { TemplatesController } from './templates.controller';

@Module({
  imports: [AuditLogModule, BlobsModule],
  controllers: [
    HeaderSamplesController,
    ManagedTemplatesController,
    TemplateDraftsController,
    TemplateSyncController,
    TemplatesController,
  ],
  providers: [HeaderSamplesService, TemplateChanges],
})
export class TemplatesModule {}
