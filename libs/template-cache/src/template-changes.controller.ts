import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { EventHandler } from '@switchboard/broker';
import { TemplateContentChangedV1, templateContentChangedV1 } from '@switchboard/contracts';
import { TemplateCache } from './template-cache';

@Controller()
export class TemplateChangesController {
  constructor(private readonly templates: TemplateCache) {}

  /** Runs on every replica. A new status or category affects which contacts may be messaged. */
  @EventHandler(templateContentChangedV1)
  evict(@Payload() { accountId, templateName }: TemplateContentChangedV1): void {
    this.templates.evict(accountId, templateName);
  }
}
