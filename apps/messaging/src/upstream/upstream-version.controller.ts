import { Controller, Inject, type OnModuleInit } from '@nestjs/common';
import { CommandHandler } from '@switchboard/broker';
import { type GetUpstreamVersionReply, messagingGetUpstreamVersionV1 } from '@switchboard/contracts';
import { CONFIG, LOGGER, type Logger } from '@switchboard/platform';
import { warnOfVersion } from '@switchboard/upstream';
import type { MessagingConfig } from '../config';

@Controller()
export class UpstreamVersionController implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: MessagingConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    warnOfVersion(this.config.UPSTREAM_API_VERSION, this.logger, new Date());
  }

  @CommandHandler(messagingGetUpstreamVersionV1)
  async getUpstreamVersion(): Promise<GetUpstreamVersionReply> {
    return { version: this.config.UPSTREAM_API_VERSION };
  }
}
