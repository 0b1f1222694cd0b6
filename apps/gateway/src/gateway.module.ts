import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger, Loops, SecretBox } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { AccessChangesController } from './auth/access-changes.controller';
import { AccessService } from './auth/access.service';
import { ClientLookup } from './auth/client-lookup';
import { ClientReads } from './auth/client-reads';
import { KeyCache } from './auth/key-cache';
import { ReadPlaces } from './rate-limits/read-places';
import { RateLimits } from './rate-limits/rate-limits';
import { RateStore, rateStoreOf } from './rate-limits/rate-store';
import { AuditedChanges } from './audit-log/audited-changes';
import { CreditRounds } from './accounts/credit-rounds';
import { CreditsController } from './accounts/credits.controller';
import { EndpointNoticesController } from './webhooks/endpoint-notices.controller';
import { NumberNoticesController } from './numbers/number-notices.controller';
import { CreditsService } from './accounts/credits.service';
import { JobNoticesController } from './jobs/job-notices.controller';
import { ReservationsService } from './accounts/reservations.service';
import { CallbacksController } from './callbacks/callbacks.controller';
import { CallbacksService } from './callbacks/callbacks.service';
import { CallbackHeartbeat } from './callbacks/callback-heartbeat';
import type { GatewayConfig } from './config';
import { entities } from './entities';
import { AccountController } from './me/console-account.controller';
import { ConsoleCreditsController } from './accounts/console-credits.controller';
import { FiguresController } from './statistics/console-figures.controller';
import { ConsoleAccountNoticesController } from './account-notices/console-account-notices.controller';
import { ConsoleNumbersController } from './numbers/console-numbers.controller';
import { RateUsageController } from './api-keys/console-rate-usage.controller';
import { SettingsController } from './settings/console-settings.controller';
import { DashboardController } from './dashboard/dashboard.controller';
import { AuditNames } from './audit-log/audit-names';
import { AuditLogController } from './audit-log/console-audit-log.controller';
import { ApiKeyGuard } from './auth/api-key.guard';
import { PlanFeatureGuard } from './auth/plan-feature.guard';
import { RateLimitGuard } from './auth/rate-limit.guard';
import { RolesGuard } from './auth/roles.guard';
import { SessionGuard } from './auth/session.guard';
import { HeaderSamplesController } from './templates/console-header-samples.controller';
import { HeaderSamplesService } from './templates/header-samples.service';
import { LinksController } from './team/console-links.controller';
import { ProfileController } from './team/console-profile.controller';
import { TeamController } from './team/console-team.controller';
import { InvitationsService } from './team/invitations.service';
import { TeamService } from './team/team.service';
import { ApiGuideController } from './reference/console-api-guide.controller';
import { KeysController } from './api-keys/console-keys.controller';
import { ApiKey } from './api-keys/api-key.entity';
import { EffectivePlan } from './accounts/effective-plan.entity';
import { KeysService } from './api-keys/keys.service';
import { OverridesService } from './accounts/overrides.service';
import { ConsoleBlocksController } from './blocks/console-blocks.controller';
import { ConsoleContactsController } from './contacts/console-contacts.controller';
import { ConsoleConversationsController } from './conversations/console-conversations.controller';
import { ExportsController } from './exports/console-exports.controller';
import { ConsoleJobsController } from './jobs/console-jobs.controller';
import { ConsoleMediaController } from './media/console-media.controller';
import { ConsoleMessagesController } from './messages/console-messages.controller';
import { ConsoleReceiptsController } from './messages/console-receipts.controller';
import { ConsoleSendsController } from './messages/console-sends.controller';
import { ConsoleJobDownloadsController } from './jobs/console-job-downloads.controller';
import { NewJobsController } from './jobs/console-new-jobs.controller';
import { ManagedTemplatesController } from './templates/console-managed-templates.controller';
import { SecondFactorController } from './sessions/console-second-factor.controller';
import { SecondFactorsService } from './sessions/second-factors.service';
import { SessionController } from './sessions/console-session.controller';
import { SessionsService } from './sessions/sessions.service';
import { TemplateDraftsController } from './templates/console-template-drafts.controller';
import { ContactChanges } from './contacts/contact-changes';
import { TemplateChanges } from './templates/template-changes';
import { TemplateSyncController } from './templates/console-template-sync.controller';
import { OtpConsoleController } from './otp/console-otp.controller';
import { WebhookEndpointsController } from './webhooks/console-webhook-endpoints.controller';
import { WebhookEventsController } from './webhooks/console-webhook-events.controller';
import { WebhookReplaysController } from './webhooks/console-webhook-replays.controller';
import { WebhookChanges } from './webhooks/webhook-changes';
import { ErrorFilter } from './http/error.filter';
import { RequestValidationPipe } from './http/request-validation.pipe';
import { RouteTable } from './http/route-table';
import { IdempotencyService } from './idempotency/idempotency.service';
import { BulkService } from './jobs/bulk.service';
import { DownloadsService } from './jobs/downloads.service';
import { ExcelService } from './jobs/excel.service';
import { SheetPlaces } from './jobs/excel.service';
import { SheetUploadsService } from './jobs/sheet-uploads.service';
import { blobsProvider } from './http/blobs';
import { SettingsChanges } from './settings/settings-changes';
import { OpenSends } from './messages/open-sends';
import { SendForwarder } from './messages/send-forwarder';
import { UploadsService } from './messages/uploads.service';
import { JobChanges } from './jobs/job-changes';
import { NumberConnections } from './numbers/number-connections';
import { OtpChanges } from './otp/otp-changes';
import { Purges } from './purges';
import { User } from './users/user.entity';
import { UsersService } from './users/users.service';
import { GuidesController } from './reference/guides.controller';
import { ApiDescription, ReferenceController } from './reference/reference.controller';
import { SecurityTxtController } from './reference/security-txt.controller';
import { V1_CONTROLLERS } from './reference/api-controllers';

/** The guards of all routes, in the order in which `AccessService` checks. */
const GUARDS = [ApiKeyGuard, SessionGuard, RateLimitGuard, RolesGuard, PlanFeatureGuard];
const ACCESS = [
  ...GUARDS,
  ...GUARDS.map((guard) => ({ provide: APP_GUARD, useExisting: guard })),
  AccessService,
  ClientLookup,
  ClientReads,
  KeyCache,
  ReadPlaces,
  RateLimits,
  { provide: RateStore, useFactory: rateStoreOf, inject: [CONFIG, LOGGER] },
  IdempotencyService,
];
const FILES = [
  blobsProvider,
  UploadsService,
  SendForwarder,
  OpenSends,
  BulkService,
  ExcelService,
  SheetPlaces,
  SheetUploadsService,
  DownloadsService,
  HeaderSamplesService,
];
const CONSOLE_ROUTES = [
  SessionController,
  AccountController,
  SecondFactorController,
  WebhookEndpointsController,
  WebhookEventsController,
  WebhookReplaysController,
  AuditLogController,
  KeysController,
  ApiGuideController,
  TeamController,
  LinksController,
  ProfileController,
];
const ACCOUNT_ROUTES = [
  FiguresController,
  ConsoleNumbersController,
  ConsoleAccountNoticesController,
  ConsoleCreditsController,
  RateUsageController,
  SettingsController,
];
const TEMPLATE_ROUTES = [
  HeaderSamplesController,
  ManagedTemplatesController,
  TemplateDraftsController,
  TemplateSyncController,
];
const MESSAGING_ROUTES = [
  ConsoleMessagesController,
  ConsoleSendsController,
  ConsoleReceiptsController,
  ConsoleConversationsController,
  ConsoleContactsController,
  ConsoleBlocksController,
  ConsoleMediaController,
  ExportsController,
];
const CONSOLE = [
  KeysService,
  OverridesService,
  UsersService,
  AuditNames,
  SessionsService,
  SecondFactorsService,
  TeamService,
  InvitationsService,
  {
    provide: AuditedChanges,
    useFactory: (dataSource: DataSource, logger: Logger) =>
      new AuditedChanges(dataSource, (err, entryId) => logger.error({ err, entryId }, 'audit.outcome-write-failed')),
    inject: [DataSource, LOGGER],
  },
  {
    provide: WebhookChanges,
    useFactory: (broker: Broker, changes: AuditedChanges, box: SecretBox) => new WebhookChanges(broker, changes, box),
    inject: [Broker, AuditedChanges, SecretBox],
  },
  {
    provide: ContactChanges,
    useFactory: (broker: Broker, changes: AuditedChanges, dataSource: DataSource) =>
      new ContactChanges(broker, changes, dataSource),
    inject: [Broker, AuditedChanges, DataSource],
  },
  {
    provide: JobChanges,
    useFactory: (broker: Broker, changes: AuditedChanges) => new JobChanges(broker, changes),
    inject: [Broker, AuditedChanges],
  },
  {
    provide: NumberConnections,
    useFactory: (broker: Broker, box: SecretBox, config: GatewayConfig) =>
      new NumberConnections(broker, { ...config, box }),
    inject: [Broker, SecretBox, CONFIG],
  },
  {
    provide: TemplateChanges,
    useFactory: (broker: Broker, changes: AuditedChanges) => new TemplateChanges(broker, changes),
    inject: [Broker, AuditedChanges],
  },
];
const OTP = {
  provide: OtpChanges,
  useFactory: (broker: Broker, changes: AuditedChanges) => new OtpChanges(broker, changes),
  inject: [Broker, AuditedChanges],
};
const SETTINGS = {
  provide: SettingsChanges,
  useFactory: (broker: Broker, changes: AuditedChanges) => new SettingsChanges(broker, changes),
  inject: [Broker, AuditedChanges],
};
const CREDITS = [CreditsService, ReservationsService, CreditRounds];

@Module({})
export class GatewayModule {
  static with({ config, broker, logger }: { config: GatewayConfig; broker: Broker; logger: Logger }): DynamicModule {
    const shared = [
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: SecretBox, useFactory: () => new SecretBox(config) },
    ];
    return {
      module: GatewayModule,
      imports: [
        DatabaseModule.forRoot({ schema: 'gateway', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        TypeOrmModule.forFeature([ApiKey, EffectivePlan, User]),
        BrokerModule.forRoot(broker),
        OutboxRelayModule,
        DiscoveryModule,
      ],
      controllers: [
        ...V1_CONTROLLERS,
        OtpConsoleController,
        CallbacksController,
        ReferenceController,
        GuidesController,
        SecurityTxtController,
        AccessChangesController,
        CreditsController,
        EndpointNoticesController,
        NumberNoticesController,
        JobNoticesController,
        ...CONSOLE_ROUTES,
        ...ACCOUNT_ROUTES,
        ...MESSAGING_ROUTES,
        ...TEMPLATE_ROUTES,
        ConsoleJobDownloadsController,
        ConsoleJobsController,
        NewJobsController,
        DashboardController,
      ],
      providers: [
        ...shared,
        ...ACCESS,
        ...CREDITS,
        ...CONSOLE,
        OTP,
        SETTINGS,
        ...FILES,
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        RouteTable,
        ErrorFilter,
        CallbacksService,
        Loops,
        Purges,
        CallbackHeartbeat,
        ApiDescription,
      ],
    };
  }
}
