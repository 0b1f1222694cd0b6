import { Injectable } from '@nestjs/common';
import { type TemplateRecord, normaliseLanguage } from '@switchboard/contracts';
import { DataSource } from 'typeorm';
import { findTemplate, listApproved, type TemplateFilters, type WantedTemplate } from './templates.queries';

@Injectable()
export class TemplatesService {
  constructor(private readonly dataSource: DataSource) {}

  /** The account's approved templates by name and language; an empty filter counts as none. */
  listApproved(accountId: string, { name, language, category }: TemplateFilters): Promise<TemplateRecord[]> {
    return listApproved(this.dataSource, accountId, {
      name: name || undefined,
      language: language ? normaliseLanguage(language) : undefined,
      category: category || undefined,
    });
  }

  /** The account's template of any status, null when it has none of this name and language. */
  findTemplate(wanted: WantedTemplate): Promise<TemplateRecord | null> {
    return findTemplate(this.dataSource, { ...wanted, language: normaliseLanguage(wanted.language) });
  }
}
