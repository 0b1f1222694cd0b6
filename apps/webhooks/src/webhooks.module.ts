import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger, Loops, SecretBox } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { WebhooksConfig } from './config';
import { entities } from './entities';
import { CustomerHttp } from './customer-http/customer-http';
import { Attempts } from './deliveries/attempt';
import { ClaimHolder } from './deliveries/claim-holder';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { Dispatcher } from './deliveries/dispatcher';
import { Results } from './deliveries/results';
import { Sweeps } from './deliveries/sweeps';
import { Endpoint } from './endpoints/endpoint.entity';
import { EndpointLifeService } from './endpoints/endpoint-life.service';
import { EndpointWatch } from './endpoints/endpoint-watch';
import { EndpointsController } from './endpoints/endpoints.controller';
import { EndpointsService } from './endpoints/endpoints.service';
import { EventBodies } from './deliveries/event-bodies';
import { EventsController } from './events/events.controller';
import { EventsService } from './events/events.service';
import { FiguresController } from './figures/figures.controller';
import { FoldFigures } from './figures/fold-figures';
import { LogController } from './log/log.controller';
import { ReplaysController } from './replays/replays.controller';
import { ReplaysLoop } from './replays/replays.loop';
import { ReplaysService } from './replays/replays.service';
import { AccountRetention } from './retention/account-retention';
import { AccountRetentionController } from './retention/account-retention.controller';
import { EraseController } from './retention/erase.controller';
import { Retention } from './retention/retention';
import { SecretsController } from './secrets/secrets.controller';
import { BacklogFigures } from './deliveries/backlog-figures';

export interface WebhooksParts {
  config: WebhooksConfig;
  logger: Logger;
  broker: Broker;
}

@Module({})
export class WebhooksModule {
  static with({ config, logger, broker }: WebhooksParts): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [
        DatabaseModule.forRoot({ schema: 'webhooks', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        TypeOrmModule.forFeature([Endpoint]),
        BrokerModule.forRoot(broker),
        OutboxRelayModule,
        DiscoveryModule,
      ],
      controllers: [
        EventsController,
        DeliveriesController,
        EndpointsController,
        LogController,
        FiguresController,
        ReplaysController,
        EraseController,
        AccountRetentionController,
        SecretsController,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        Loops,
        BacklogFigures,
        { provide: SecretBox, useFactory: () => new SecretBox(config) },
        {
          provide: CustomerHttp,
          useFactory: () =>
            new CustomerHttp({ allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, proxyUrl: config.WEBHOOK_PROXY_URL }),
        },
        {
          provide: EventBodies,
          useFactory: (dataSource: DataSource) => new EventBodies(dataSource),
          inject: [DataSource],
        },
        EventsService,
        EndpointsService,
        EndpointLifeService,
        EndpointWatch,
        Results,
        Attempts,
        ClaimHolder,
        Dispatcher,
        Sweeps,
        ReplaysService,
        ReplaysLoop,
        AccountRetention,
        Retention,
        FoldFigures,
      ],
    };
  }
}
