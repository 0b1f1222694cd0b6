import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { type Logger, PlatformModule } from '@switchboard/platform';
import { AppDataModule } from './app-data/app-data.module';
import { AudienceModule } from './audience/audience.module';
import { BlocksModule } from './blocks/blocks.module';
import { CallbacksModule } from './callbacks/callbacks.module';
import type { MessagingConfig } from './config';
import { ContactsModule } from './contacts/contacts.module';
import { ConversationsModule } from './conversations/conversations.module';
import { entities } from './entities';
import { EstimatesModule } from './estimates/estimates.module';
import { JobMessagesModule } from './job-messages/job-messages.module';
import { LabelsModule } from './labels/labels.module';
import { MediaModule } from './media/media.module';
import { MediaFilesModule } from './media-files/media-files.module';
import { MessagesModule } from './messages/messages.module';
import { NotesModule } from './notes/notes.module';
import { NoticesModule } from './notices/notices.module';
import { ConnectionModule } from './numbers/connection/connection.module';
import { NumbersModule } from './numbers/numbers.module';
import { RatesModule } from './rates/rates.module';
import { ReceiptsModule } from './receipts/receipts.module';
import { ReconcileModule } from './reconcile/reconcile.module';
import { ResultsModule } from './results/results.module';
import { RetentionModule } from './retention/retention.module';
import { SecretsModule } from './secrets/secrets.module';
import { SendsModule } from './sends/sends.module';
import { SettingsModule } from './settings/settings.module';
import { SpendModule } from './spend/spend.module';
import { StatisticsModule } from './statistics/statistics.module';
import { UsageModule } from './usage/usage.module';

@Module({
  imports: [
    OutboxRelayModule,
    SendsModule,
    JobMessagesModule,
    ReconcileModule,
    CallbacksModule,
    AppDataModule,
    MessagesModule,
    ConversationsModule,
    NotesModule,
    ContactsModule,
    AudienceModule,
    LabelsModule,
    BlocksModule,
    ReceiptsModule,
    MediaModule,
    MediaFilesModule,
    NumbersModule,
    ConnectionModule,
    NoticesModule,
    StatisticsModule,
    ResultsModule,
    RatesModule,
    SpendModule,
    UsageModule,
    EstimatesModule,
    SettingsModule,
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
    config: MessagingConfig;
    logger: Logger;
    broker: Broker;
  }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot({ config, logger }),
        DatabaseModule.forRoot({
          schema: 'messaging',
          url: config.DATABASE_URL,
          entities,
          sizes: poolSizes(config),
        }),
        BrokerModule.forRoot(broker),
      ],
    };
  }
}
