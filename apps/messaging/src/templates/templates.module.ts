import { Module } from '@nestjs/common';
import { TemplateCacheModule } from '@switchboard/template-cache';
import { TemplateCheck } from './template-check';

@Module({
  imports: [TemplateCacheModule],
  providers: [TemplateCheck],
  exports: [TemplateCheck],
})
export class TemplatesModule {}
