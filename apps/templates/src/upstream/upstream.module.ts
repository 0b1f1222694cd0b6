import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, SecretBoxModule } from '@switchboard/platform';
import { createUpstreamClient, type UpstreamClient } from '@switchboard/upstream';
import type { TemplatesConfig } from '../config';
import { HeaderSamplesModule } from '../header-samples/header-samples.module';
import { UPSTREAM } from './upstream.token';
import { UpstreamVersionController } from './upstream-version.controller';
import { UpstreamTemplates } from './upstream-templates';

@Module({
  imports: [HeaderSamplesModule, SecretBoxModule],
  controllers: [UpstreamVersionController],
  providers: [
    {
      provide: UPSTREAM,
      inject: [CONFIG],
      useFactory: (config: TemplatesConfig) =>
        createUpstreamClient({
          baseUrl: config.UPSTREAM_BASE_URL,
          apiVersion: config.UPSTREAM_API_VERSION,
          timeoutMs: config.UPSTREAM_TIMEOUT_MS,
          appSecret: config.UPSTREAM_APP_SECRET,
        }),
    },
    UpstreamTemplates,
  ],
  exports: [UPSTREAM, UpstreamTemplates],
})
export class UpstreamModule implements OnApplicationShutdown {
  constructor(@Inject(UPSTREAM) private readonly upstream: UpstreamClient) {}

  onApplicationShutdown(): Promise<void> {
    return this.upstream.close();
  }
}
