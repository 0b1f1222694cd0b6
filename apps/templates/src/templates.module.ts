import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { CONFIG, type Logger, LOGGER, Loops, SecretBox } from '@switchboard/platform';
import type { UpstreamClient } from '@switchboard/upstream';
import { blobsProvider } from './blobs';
import type { TemplatesConfig } from './config';
import { entities } from './entities';
import { DraftsController } from './drafts/drafts.controller';
import { DraftsService } from './drafts/drafts.service';
import { SubmissionLoop, SubmissionService } from './drafts/submission.service';
import { HeaderSamplesController } from './drafts/header-samples.controller';
import { HeaderSamples } from './drafts/header-samples.service';
import { SamplePurge } from './drafts/sample-purge';
import { SecretsController } from './secrets/secrets.controller';
import { LeftBusinesses } from './sync/left-businesses';
import { SyncRequests } from './sync/sync-requests.service';
import { SyncStatusController } from './sync/sync-status.controller';
import { SyncStatus } from './sync/sync-status.controller';
import { SyncService } from './sync/sync.service';
import { UpstreamEventsController } from './sync/upstream-events.controller';
import { DeletionService } from './templates/deletion.service';
import { ManagedTemplates } from './templates/managed.service';
import { TemplatesController } from './templates/templates.controller';
import { TemplatesService } from './templates/templates.controller';
import { UpstreamTemplates } from './upstream-templates';
import { UPSTREAM } from './upstream.token';
import { SyncFigures } from './sync/sync-figures';

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
      imports: [
        DatabaseModule.forRoot({ schema: 'templates', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        BrokerModule.forRoot(broker),
        OutboxRelayModule,
        DiscoveryModule,
      ],
      controllers: [
        TemplatesController,
        DraftsController,
        HeaderSamplesController,
        SyncStatusController,
        UpstreamEventsController,
        SecretsController,
      ],
      providers: [
        TemplatesService,
        ManagedTemplates,
        DeletionService,
        DraftsService,
        SubmissionService,
        SubmissionLoop,
        HeaderSamples,
        SamplePurge,
        blobsProvider,
        SyncService,
        SyncRequests,
        SyncStatus,
        LeftBusinesses,
        Loops,
        SyncFigures,
        { provide: UPSTREAM, useValue: upstream },
        UpstreamTemplates,
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: SecretBox, useFactory: () => new SecretBox(config) },
      ],
    };
  }
}
