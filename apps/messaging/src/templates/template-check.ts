import { Injectable } from '@nestjs/common';
import { AppError, type TemplateContent } from '@switchboard/contracts';
import { TemplateCache } from './template-cache';
import { fitToTemplate } from './template-parameters';

/** A template send that may go out. */
export interface CheckedTemplate {
  content: TemplateContent;
  /** UPPER case, for example MARKETING. */
  category: string;
}

/** Judges template sends against what upstream has approved. */
@Injectable()
export class TemplateCheck {
  constructor(private readonly templates: TemplateCache) {}

  /**
   * @param sender the account, and the business account upstream of its number that sends
   * @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_APPROVED or TEMPLATE_PARAMS_MISMATCH
   */
  async check({ accountId, wabaId }: { accountId: string; wabaId: string }, content: TemplateContent): Promise<CheckedTemplate> {
    const template = await this.templates.find({ accountId, wabaId, name: content.name, language: content.language.code });
    if (!template) throw new AppError('TEMPLATE_NOT_FOUND');
    if (template.status !== 'APPROVED') throw new AppError('TEMPLATE_NOT_APPROVED');
    return { content: fitToTemplate(template, content), category: template.category.toUpperCase() };
  }
}
