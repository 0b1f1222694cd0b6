import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, brokerModule, outboxRelayModule } from '@switchboard/broker';
import { databaseModule } from '@switchboard/database';
import { CONFIG, type Logger, LOGGER } from '@switchboard/platform';
import type { WebhooksConfig } from './config';
import { CustomerHttp } from './customer-http/customer-http';
import { AttemptService } from './deliveries/attempt.service';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { Dispatcher } from './deliveries/dispatcher';
import { OverdueSweep } from './deliveries/overdue-sweep';
import { EndpointsController } from './endpoints/endpoints.controller';
import { EndpointsService } from './endpoints/endpoints.service';
import { EventsController } from './events/events.controller';
import { EventsService } from './events/events.service';

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
      imports: [databaseModule({ schema: 'webhooks', url: config.DATABASE_URL }), brokerModule(broker), outboxRelayModule()],
      controllers: [EventsController, DeliveriesController, EndpointsController],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: CustomerHttp, useValue: new CustomerHttp({ allowPrivate: config.WEBHOOK_ALLOW_PRIVATE }) },
        EventsService,
        EndpointsService,
        AttemptService,
        Dispatcher,
        OverdueSweep,
      ],
    };
  }
}
