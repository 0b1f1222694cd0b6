import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { TemplateCache } from './template-cache';
import { TemplateChangesController } from './template-changes.controller';

/**
 * Module for services that fill templates. The event of the controller must list the service in `broadcastTo`.
 * Requires the global broker module.
 */
@Module({
  imports: [ServiceClientsModule],
  controllers: [TemplateChangesController],
  providers: [TemplateCache],
  exports: [TemplateCache],
})
export class TemplateCacheModule {}
