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

/** Forgets copies of what has changed. */
@Controller()
export class TemplateChangesController {
  constructor(private readonly templates: TemplateCache) {}

  /** Every replica is told. */
  @EventHandler(templateStatusChangedV1)
  evict(@Payload() { accountId, templateName }: TemplateStatusChangedV1): void {
    this.templates.evict(accountId, templateName);
  }

  /** A category counts for who may be written to. Every replica is told. */
  @EventHandler(templateContentChangedV1)
  evictContent(@Payload() { accountId, templateName }: TemplateContentChangedV1): void {
    this.templates.evict(accountId, templateName);
  }
}
