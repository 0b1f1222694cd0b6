import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, brokerModule, outboxRelayModule } from '@switchboard/broker';
import { databaseModule } from '@switchboard/database';
import { CONFIG, type Logger, LOGGER } from '@switchboard/platform';
import type { UpstreamClient } from '@switchboard/upstream';
import type { TemplatesConfig } from './config';
import { SyncLoop } from './sync/sync-loop';
import { SyncRequests } from './sync/sync-requests.service';
import { SyncService, UPSTREAM } from './sync/sync.service';
import { UpstreamEventsController } from './sync/upstream-events.controller';
import { TemplatesController } from './templates/templates.controller';
import { TemplatesService } from './templates/templates.service';

export interface TemplatesParts {
  config: TemplatesConfig;
  broker: Broker;
  upstream: UpstreamClient;
  logger: Logger;
}

@Module({})
export class TemplatesModule {
  static with({ config, broker, upstream, logger }: TemplatesParts): DynamicModule {
    return {
      module: TemplatesModule,
      imports: [databaseModule({ schema: 'templates', url: config.DATABASE_URL }), brokerModule(broker), outboxRelayModule()],
      controllers: [TemplatesController, UpstreamEventsController],
      providers: [
        TemplatesService,
        SyncService,
        SyncLoop,
        SyncRequests,
        { provide: UPSTREAM, useValue: upstream },
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
      ],
    };
  }
}
