import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { type Logger, PlatformModule } from '@switchboard/platform';
import type { TemplatesConfig } from './config';
import { entities } from './entities';
import { DraftsModule } from './drafts/drafts.module';
import { HeaderSamplesModule } from './header-samples/header-samples.module';
import { SecretsModule } from './secrets/secrets.module';
import { SyncModule } from './sync/sync.module';
import { TemplatesModule } from './templates/templates.module';

@Module({
  imports: [OutboxRelayModule, TemplatesModule, DraftsModule, HeaderSamplesModule, SyncModule, SecretsModule],
})
export class AppModule {
  static forRoot({
    config,
    logger,
    broker,
  }: {
    config: TemplatesConfig;
    logger: Logger;
    broker: Broker;
  }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot({ config, logger }),
        DatabaseModule.forRoot({ schema: 'templates', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        BrokerModule.forRoot(broker),
      ],
    };
  }
}
