import { Controller, Injectable } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  DeleteTemplateCommand,
  type DeleteTemplateReply,
  deleteTemplateV1,
  GetTemplateCommand,
  type GetTemplateReply,
  getTemplateV1,
  ListTemplateEventsCommand,
  type ListTemplateEventsReply,
  listTemplateEventsV1,
  ListTemplatesCommand,
  type ListTemplatesReply,
  listTemplatesV1,
  normaliseLanguage,
  SearchTemplatesCommand,
  type SearchTemplatesReply,
  searchTemplatesV1,
  ShowTemplateCommand,
  type ShowTemplateReply,
  showTemplateV1,
  type TemplateRecord,
} from '@switchboard/contracts';
import { DataSource } from 'typeorm';
import { DeletionService } from './deletion.service';
import { ManagedTemplates } from './managed.service';
import {
  findTemplate,
  listApproved,
  listLanguages,
  type TemplateFilters,
  type WantedTemplate,
} from './templates.queries';

@Injectable()
export class TemplatesService {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists the account's approved templates by name and language. Empty filters are ignored. */
  listApproved(accountId: string, { name, language, category }: TemplateFilters): Promise<TemplateRecord[]> {
    return listApproved(this.dataSource, accountId, {
      name: name || undefined,
      language: language ? normaliseLanguage(language) : undefined,
      category: category || undefined,
    });
  }

  /** Returns the account's template, whatever its status, or null if none has this name and language. */
  findTemplate(wanted: WantedTemplate): Promise<TemplateRecord | null> {
    return findTemplate(this.dataSource, { ...wanted, language: normaliseLanguage(wanted.language) });
  }

  /** Returns the languages in which the account has a template of this name. */
  languagesOf(wanted: Omit<WantedTemplate, 'language'>): Promise<string[]> {
    return listLanguages(this.dataSource, wanted);
  }
}

@Controller()
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly managed: ManagedTemplates,
    private readonly deletion: DeletionService,
  ) {}

  @CommandHandler(listTemplatesV1)
  async list(@Payload() { accountId, ...filters }: ListTemplatesCommand): Promise<ListTemplatesReply> {
    return { templates: await this.templates.listApproved(accountId, filters) };
  }

  @CommandHandler(getTemplateV1)
  async get(@Payload() wanted: GetTemplateCommand): Promise<GetTemplateReply> {
    const template = await this.templates.findTemplate(wanted);
    return template ? { template } : { template, languages: await this.templates.languagesOf(wanted) };
  }

  @CommandHandler(searchTemplatesV1)
  search(@Payload() command: SearchTemplatesCommand): Promise<SearchTemplatesReply> {
    return this.managed.search(command);
  }

  @CommandHandler(showTemplateV1)
  async show(@Payload() { accountId, templateId }: ShowTemplateCommand): Promise<ShowTemplateReply> {
    return { template: await this.managed.show(accountId, templateId) };
  }

  @CommandHandler(listTemplateEventsV1)
  history(@Payload() command: ListTemplateEventsCommand): Promise<ListTemplateEventsReply> {
    return this.managed.history(command);
  }

  @CommandHandler(deleteTemplateV1)
  async remove(@Payload() { accountId, templateId }: DeleteTemplateCommand): Promise<DeleteTemplateReply> {
    return { templateId, otherAccounts: await this.deletion.deleteTemplate(accountId, templateId) };
  }
}
