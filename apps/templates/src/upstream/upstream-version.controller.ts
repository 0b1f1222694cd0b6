import { Controller, Inject, type OnModuleInit } from '@nestjs/common';
import { CommandHandler } from '@switchboard/broker';
import { type GetUpstreamVersionReply, templatesGetUpstreamVersionV1 } from '@switchboard/contracts';
import { CONFIG, LOGGER, type Logger } from '@switchboard/platform';
import { warnOfVersion } from '@switchboard/upstream';
import type { TemplatesConfig } from '../config';

@Controller()
export class UpstreamVersionController implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: TemplatesConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    warnOfVersion(this.config.UPSTREAM_API_VERSION, this.logger, new Date());
  }

  @CommandHandler(templatesGetUpstreamVersionV1)
  async getUpstreamVersion(): Promise<GetUpstreamVersionReply> {
    return { version: this.config.UPSTREAM_API_VERSION };
  }
}
