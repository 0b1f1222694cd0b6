import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { EventHandler } from '@switchboard/broker';
import {
  TemplateContentChangedV1,
  templateContentChangedV1,
  TemplateStatusChangedV1,
  templateStatusChangedV1,
} from '@switchboard/contracts';
import { TemplateCache } from './template-cache';

@Controller()
export class TemplateChangesController {
  constructor(private readonly templates: TemplateCache) {}

  @EventHandler(templateStatusChangedV1)
  evict(@Payload() { accountId, templateName }: TemplateStatusChangedV1): void {
    this.templates.evict(accountId, templateName);
  }

  /** A new category affects which contacts may be messaged. The event is broadcast to every replica. */
  @EventHandler(templateContentChangedV1)
  evictContent(@Payload() { accountId, templateName }: TemplateContentChangedV1): void {
    this.templates.evict(accountId, templateName);
  }
}
