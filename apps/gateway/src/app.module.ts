import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { type Logger, PlatformModule } from '@switchboard/platform';
import { AccountNoticesModule } from './account-notices/account-notices.module';
import { AccountsModule } from './accounts/accounts.module';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { AuditLogModule } from './audit-log/audit-log.module';
import { AuthModule } from './auth/auth.module';
import { BlocksModule } from './blocks/blocks.module';
import { CallbacksModule } from './callbacks/callbacks.module';
import { CleanupModule } from './cleanup/cleanup.module';
import { ContactsModule } from './contacts/contacts.module';
import { ConversationsModule } from './conversations/conversations.module';
import { DashboardModule } from './dashboard/dashboard.module';
import { ExportsModule } from './exports/exports.module';
import { HttpModule } from './http/http.module';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { JobsModule } from './jobs/jobs.module';
import { LabelsModule } from './labels/labels.module';
import { LiveModule } from './live/live.module';
import { MeModule } from './me/me.module';
import { MediaModule } from './media/media.module';
import { MessagesModule } from './messages/messages.module';
import { NumbersModule } from './numbers/numbers.module';
import { OtpModule } from './otp/otp.module';
import { RateLimitsModule } from './rate-limits/rate-limits.module';
import { RatesModule } from './rates/rates.module';
import { SpendCapsModule } from './spend-caps/spend-caps.module';
import { ReferenceModule } from './reference/reference.module';
import { ResultsModule } from './results/results.module';
import { SavedRepliesModule } from './saved-replies/saved-replies.module';
import { SearchModule } from './search/search.module';
import { SessionsModule } from './sessions/sessions.module';
import { SettingsModule } from './settings/settings.module';
import { StatisticsModule } from './statistics/statistics.module';
import { TeamModule } from './team/team.module';
import { TemplatesModule } from './templates/templates.module';
import { UsageModule } from './usage/usage.module';
import { UsersModule } from './users/users.module';
import { WebhooksModule } from './webhooks/webhooks.module';
import type { GatewayConfig } from './config';
import { entities } from './entities';

@Module({
  imports: [
    OutboxRelayModule,
    AccountNoticesModule,
    AccountsModule,
    ApiKeysModule,
    AuditLogModule,
    AuthModule,
    BlocksModule,
    CallbacksModule,
    CleanupModule,
    ContactsModule,
    ConversationsModule,
    DashboardModule,
    ExportsModule,
    HttpModule,
    IdempotencyModule,
    JobsModule,
    LabelsModule,
    LiveModule,
    MeModule,
    MediaModule,
    MessagesModule,
    NumbersModule,
    OtpModule,
    RateLimitsModule,
    RatesModule,
    SpendCapsModule,
    ReferenceModule,
    ResultsModule,
    SavedRepliesModule,
    SearchModule,
    SessionsModule,
    SettingsModule,
    StatisticsModule,
    TeamModule,
    TemplatesModule,
    UsageModule,
    UsersModule,
    WebhooksModule,
  ],
})
export class AppModule {
  static forRoot({ config, logger, broker }: { config: GatewayConfig; logger: Logger; broker: Broker }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot({ config, logger }),
        DatabaseModule.forRoot({ schema: 'gateway', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        BrokerModule.forRoot(broker),
      ],
    };
  }
}
