import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { TemplateCache } from './template-cache';
import { TemplateChangesController } from './template-changes.controller';

/**
 * For a service that fills templates: both events of the controller must name it in `broadcastTo`. Needs the global
 * module of the broker.
 */
@Module({
  imports: [ServiceClientsModule],
  controllers: [TemplateChangesController],
  providers: [TemplateCache],
  exports: [TemplateCache],
})
export class TemplateCacheModule {}
