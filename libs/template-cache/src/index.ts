export { TemplateCache } from './template-cache';
export { TemplateCacheModule } from './template-cache.module';
