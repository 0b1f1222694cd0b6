import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG } from '@switchboard/platform';
import {
  createMediaClient,
  createUpstreamClient,
  DEFAULT_CONNECTIONS,
  type MediaClient,
  type UpstreamClient,
} from '@switchboard/upstream';
import type { MessagingConfig } from '../config';
import { UpstreamVersionController } from './upstream-version.controller';
import { MEDIA_CLIENT, UPSTREAM } from './upstream.tokens';

@Module({
  controllers: [UpstreamVersionController],
  providers: [
    {
      provide: UPSTREAM,
      inject: [CONFIG],
      useFactory: (config: MessagingConfig) =>
        createUpstreamClient({
          ...addressOf(config),
          // Jobs use at most their own share of connections, so a single send always finds a free one.
          connections: DEFAULT_CONNECTIONS + config.JOB_SENDS_AT_A_TIME,
        }),
    },
    {
      provide: MEDIA_CLIENT,
      inject: [CONFIG],
      useFactory: (config: MessagingConfig) => createMediaClient(addressOf(config)),
    },
  ],
  exports: [MEDIA_CLIENT, UPSTREAM],
})
export class UpstreamModule implements OnApplicationShutdown {
  constructor(
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    @Inject(MEDIA_CLIENT) private readonly mediaClient: MediaClient,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.upstream.close(), this.mediaClient.close()]);
  }
}

function addressOf(config: MessagingConfig) {
  return {
    baseUrl: config.UPSTREAM_BASE_URL,
    apiVersion: config.UPSTREAM_API_VERSION,
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    appSecret: config.UPSTREAM_APP_SECRET,
  };
}
