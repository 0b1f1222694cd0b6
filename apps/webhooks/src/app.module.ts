import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { type Logger, PlatformModule } from '@switchboard/platform';
import type { WebhooksConfig } from './config';
import { entities } from './entities';
import { DeliveriesModule } from './deliveries/deliveries.module';
import { EndpointsModule } from './endpoints/endpoints.module';
import { EventsModule } from './events/events.module';
import { LogModule } from './log/log.module';
import { ReplaysModule } from './replays/replays.module';
import { RetentionModule } from './retention/retention.module';
import { SecretsModule } from './secrets/secrets.module';
import { StatisticsModule } from './statistics/statistics.module';

@Module({
  imports: [
    OutboxRelayModule,
    EventsModule,
    DeliveriesModule,
    EndpointsModule,
    ReplaysModule,
    LogModule,
    StatisticsModule,
    RetentionModule,
    SecretsModule,
  ],
})
export class AppModule {
  static forRoot({
    config,
    logger,
    broker,
  }: {
    config: WebhooksConfig;
    logger: Logger;
    broker: Broker;
  }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot({ config, logger }),
        DatabaseModule.forRoot({ schema: 'webhooks', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        BrokerModule.forRoot(broker),
      ],
    };
  }
}
