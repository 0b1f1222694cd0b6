import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand } from '@switchboard/broker';
import {
  GetTemplateCommand,
  type GetTemplateReply,
  getTemplateV1,
  ListTemplatesCommand,
  type ListTemplatesReply,
  listTemplatesV1,
} from '@switchboard/contracts';
import { TemplatesService } from './templates.service';

@Controller()
export class TemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  @HandlesCommand(listTemplatesV1)
  async list(@Payload() { accountId, ...filters }: ListTemplatesCommand): Promise<ListTemplatesReply> {
    return { templates: await this.templates.listApproved(accountId, filters) };
  }

  @HandlesCommand(getTemplateV1)
  async get(@Payload() wanted: GetTemplateCommand): Promise<GetTemplateReply> {
    return { template: await this.templates.findTemplate(wanted) };
  }
}
