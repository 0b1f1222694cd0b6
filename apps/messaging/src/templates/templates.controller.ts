import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesEvent } from '@switchboard/broker';
import { TemplateStatusChangedV1, templateStatusChangedV1 } from '@switchboard/contracts';
import { TemplateCache } from './template-cache';

@Controller()
export class TemplatesController {
  constructor(private readonly templates: TemplateCache) {}

  /** Every replica is told. */
  @HandlesEvent(templateStatusChangedV1)
  evict(@Payload() { accountId, templateName }: TemplateStatusChangedV1): void {
    this.templates.evict(accountId, templateName);
  }
}
