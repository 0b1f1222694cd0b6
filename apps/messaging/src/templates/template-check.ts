import { Injectable } from '@nestjs/common';
import { AppError, type TemplateContent, type TemplateRecord } from '@switchboard/contracts';
import { TemplateCache } from '@switchboard/template-cache';
import { fitToTemplate } from './template-parameters';

/** A template send that passed the check. */
export interface CheckedTemplate {
  content: TemplateContent;
  /** Upper case, such as MARKETING. */
  category: string;
}

/** The account, and the WABA of the sending number. */
export interface TemplateSender {
  accountId: string;
  wabaId: string;
}

/** Checks template sends against the templates that upstream has approved. */
@Injectable()
export class TemplateCheck {
  constructor(private readonly templates: TemplateCache) {}

  /** @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED or TEMPLATE_PARAMS_MISMATCH */
  async check(sender: TemplateSender, content: TemplateContent): Promise<CheckedTemplate> {
    return fitted(await this.approved(sender, content), content);
  }

  /** Evicts a template from the cache. Later checks read it from the templates service. */
  forget(accountId: string, name: string): void {
    this.templates.evict(accountId, name);
  }

  /** @throws AppError TEMPLATE_NOT_FOUND or TEMPLATE_NOT_APPROVED */
  async approved(
    { accountId, wabaId }: TemplateSender,
    { name, language }: Pick<TemplateContent, 'name' | 'language'>,
  ): Promise<TemplateRecord> {
    const key = { accountId, wabaId, name, language: language.code };
    const template = await this.templates.find(key);
    if (!template) throw await this.templates.missing(key);
    if (template.status !== 'APPROVED') throw new AppError('TEMPLATE_NOT_APPROVED');
    return template;
  }
}

/** @throws AppError TEMPLATE_PARAMS_MISMATCH */
export function fitted(template: TemplateRecord, content: TemplateContent): CheckedTemplate {
  return { content: fitToTemplate(template, content), category: template.category.toUpperCase() };
}
