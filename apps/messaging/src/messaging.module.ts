import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { BlobStore } from '@switchboard/blobs';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger, Loops, SecretBox } from '@switchboard/platform';
import { TemplateCacheModule } from '@switchboard/template-cache';
import type { MediaClient, UpstreamClient } from '@switchboard/upstream';
import { BLOBS } from './blobs.token';
import { CallbacksController } from './callbacks/callbacks.controller';
import { CallbacksService } from './callbacks/callbacks.service';
import { ChangesService } from './callbacks/changes.service';
import { AppDataController } from './app-data/app-data.controller';
import { AppDataService } from './app-data/app-data.service';
import { HistoryService } from './app-data/history.service';
import { EchoesService } from './callbacks/echoes.service';
import { InboundService } from './callbacks/inbound.service';
import { StatusesService } from './callbacks/statuses.service';
import { UnownedCallbacks } from './callbacks/unowned.service';
import { BlockReads } from './blocks/block-reads';
import { BlocksController } from './blocks/blocks.controller';
import { BlocksService } from './blocks/blocks.service';
import type { MessagingConfig } from './config';
import { entities } from './entities';
import { ContactsController } from './contacts/contacts.controller';
import { ContactsService } from './contacts/contacts.service';
import { ConversationsController } from './conversations/conversations.controller';
import { ConversationsService } from './conversations/conversations.service';
import { FiguresController } from './figures/figures.controller';
import { FoldFigures } from './figures/fold-figures';
import { JobCheckService } from './job-messages/job-check.service';
import { JobMessageRows } from './job-messages/job-message-rows';
import { JobMessagesController } from './job-messages/job-messages.controller';
import { JobMessagesService } from './job-messages/job-messages.service';
import { JobPreparation } from './job-messages/job-preparation';
import { JobSender } from './job-messages/job-sender';
import { MEDIA_CLIENT } from './media/media-client.token';
import { MediaFetcher } from './media/media-fetcher';
import { MediaController } from './media/media.controller';
import { MediaService } from './media/media.service';
import { ContentCheck } from './messages/content-check';
import { FollowedMessagesController } from './messages/followed-messages.controller';
import { MessagesController } from './messages/messages.controller';
import { MessagesService } from './messages/messages.service';
import { ReferredMessages } from './messages/referred-messages';
import { SendPreparation } from './messages/send-preparation';
import { SendRows } from './messages/send-rows';
import { OpenSends } from './messages/open-sends';
import { SendService } from './messages/send.service';
import { UpstreamSender } from './messages/upstream-sender';
import { ConnectionController } from './numbers/connection/connection.controller';
import { ConnectionChecks } from './numbers/connection/connection-checks';
import { NumberSetup } from './numbers/connection/number-setup';
import { LeftBusinesses } from './numbers/left-businesses';
import { NumberCache } from './numbers/number-cache';
import { NoticesController } from './notices/notices.controller';
import { NoticesService } from './notices/notices.service';
import { NumberChangesController } from './numbers/number-changes.controller';
import { NumberHistoryController } from './numbers/number-history.controller';
import { NumberPollService } from './numbers/number-poll.service';
import { NumberRemovals } from './numbers/number-removals';
import { NumberRemovalsController } from './numbers/number-removals.controller';
import { StoppedNumbers } from './numbers/stopped-numbers';
import { StoppedNumbersController } from './numbers/stopped-numbers.controller';
import { NumbersController } from './numbers/numbers.controller';
import { NumbersService } from './numbers/numbers.service';
import { OwnerCache } from './numbers/owner-cache';
import { ReceiptsController } from './receipts/receipts.controller';
import { ReceiptsService } from './receipts/receipts.service';
import { CallbackWatermark } from './reconcile/callback-watermark';
import { ReconcileService } from './reconcile/reconcile.service';
import { ReconcileTimer } from './reconcile/reconcile.timer';
import { PartitionsService } from './retention/partitions.service';
import { RetentionController } from './retention/retention.controller';
import { PartitionFigures } from './retention/partition-figures';
import { RetentionService } from './retention/retention.service';
import { SecretsController } from './secrets/secrets.controller';
import { AccountSettings } from './settings/account-settings.entity';
import { SettingsController } from './settings/settings.controller';
import { TemplateCheck } from './templates/template-check';
import { FileSender } from './messages/file-sender';
import { UploadSweep } from './messages/upload-sweep';
import { UpstreamNumbers } from './numbers/upstream-numbers';
import { UploadService } from './messages/upload.service';
import { UPSTREAM } from './upstream.token';

export interface MessagingParts {
  config: MessagingConfig;
  logger: Logger;
  broker: Broker;
  upstream: UpstreamClient;
  mediaClient: MediaClient;
  blobs: BlobStore;
}

const NUMBERS = [
  NumbersController,
  NumberHistoryController,
  StoppedNumbersController,
  NumberRemovalsController,
  NumberChangesController,
  NoticesController,
  ConnectionController,
];
const READS = [
  ContactsController,
  ConversationsController,
  SettingsController,
  RetentionController,
  SecretsController,
  FiguresController,
];
const JOBS = [JobCheckService, JobMessageRows, JobMessagesService, JobPreparation, JobSender];
const CONNECTION = [ConnectionChecks, NumberSetup, LeftBusinesses];
const STORE = [
  ContactsService,
  ConversationsService,
  PartitionsService,
  PartitionFigures,
  RetentionService,
  FoldFigures,
];

@Module({})
export class MessagingModule {
  static with({ config, logger, broker, upstream, mediaClient, blobs }: MessagingParts): DynamicModule {
    return {
      module: MessagingModule,
      imports: [
        DatabaseModule.forRoot({ schema: 'messaging', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        TypeOrmModule.forFeature([AccountSettings]),
        BrokerModule.forRoot(broker),
        OutboxRelayModule,
        DiscoveryModule,
        TemplateCacheModule,
      ],
      controllers: [
        MessagesController,
        FollowedMessagesController,
        JobMessagesController,
        CallbacksController,
        AppDataController,
        MediaController,
        ReceiptsController,
        BlocksController,
        ...NUMBERS,
        ...READS,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        Loops,
        { provide: SecretBox, useFactory: () => new SecretBox(config) },
        { provide: UPSTREAM, useValue: upstream },
        UpstreamNumbers,
        { provide: MEDIA_CLIENT, useValue: mediaClient },
        { provide: BLOBS, useValue: blobs },
        UpstreamSender,
        ReferredMessages,
        ContentCheck,
        SendPreparation,
        SendRows,
        SendService,
        OpenSends,
        FileSender,
        UploadService,
        UploadSweep,
        MessagesService,
        ReceiptsService,
        BlocksService,
        BlockReads,
        NumbersService,
        NumberCache,
        StoppedNumbers,
        NumberRemovals,
        TemplateCheck,
        OwnerCache,
        CallbacksService,
        StatusesService,
        UnownedCallbacks,
        ChangesService,
        EchoesService,
        HistoryService,
        AppDataService,
        InboundService,
        MediaFetcher,
        MediaService,
        NumberPollService,
        NoticesService,
        CallbackWatermark,
        ...CONNECTION,
        ...JOBS,
        ...STORE,
        ReconcileService,
        ReconcileTimer,
      ],
    };
  }
}
