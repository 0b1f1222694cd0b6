import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { SyncModule } from '../sync/sync.module';
import { UpstreamModule } from '../upstream/upstream.module';
import { DeletionService } from './deletion.service';
import { ManagedTemplates } from './managed.service';
import { TemplatesController, TemplatesService } from './templates.controller';

@Module({
  imports: [SecretBoxModule, SyncModule, UpstreamModule],
  controllers: [TemplatesController],
  providers: [DeletionService, ManagedTemplates, TemplatesService],
})
export class TemplatesModule {}
