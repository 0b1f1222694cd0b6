import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger, Loops, SecretBox } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { AccessChangesController } from './access/access-changes.controller';
import { AccessService } from './access/access.service';
import { ClientLookup } from './access/client-lookup';
import { ClientReads } from './access/client-reads';
import { KeyCache } from './access/key-cache';
import { ReadPlaces } from './access/read-places';
import { RateLimits } from './access/rate-limits';
import { RateStore, rateStoreOf } from './access/rate-store';
import { AuditedChanges } from './changes/audited-changes';
import { CreditRounds } from './accounts/credit-rounds';
import { CreditsController } from './accounts/credits.controller';
import { EndpointNoticesController } from './accounts/endpoint-notices.controller';
import { NumberNoticesController } from './accounts/number-notices.controller';
import { CreditsService } from './accounts/credits.service';
import { JobNoticesController } from './accounts/job-notices.controller';
import { ReservationsService } from './accounts/reservations.service';
import { CallbacksController } from './callbacks/callbacks.controller';
import { CallbacksService } from './callbacks/callbacks.service';
import { CallbackHeartbeat } from './callbacks/callback-heartbeat';
import type { GatewayConfig } from './config';
import { entities } from './entities';
import { AccountController } from './console/account.controller';
import { ConsoleCreditsController } from './console/credits.controller';
import { FiguresController } from './console/figures.controller';
import { ConsoleAccountNoticesController } from './console/account-notices.controller';
import { ConsoleNumbersController } from './console/numbers.controller';
import { RateUsageController } from './console/rate-usage.controller';
import { SettingsController } from './console/settings.controller';
import { DashboardController } from './console/dashboard.controller';
import { AuditNames } from './console/audit-names';
import { AuditLogController } from './console/audit-log.controller';
import { ApiKeyGuard } from './access/api-key.guard';
import { PlanFeatureGuard } from './access/plan-feature.guard';
import { RateLimitGuard } from './access/rate-limit.guard';
import { RolesGuard } from './access/roles.guard';
import { SessionGuard } from './access/session.guard';
import { HeaderSamplesController } from './console/header-samples.controller';
import { HeaderSamplesService } from './console/header-samples.service';
import { LinksController } from './console/links.controller';
import { ProfileController } from './console/profile.controller';
import { TeamController } from './console/team.controller';
import { InvitationsService } from './access/invitations.service';
import { TeamService } from './access/team.service';
import { ApiGuideController } from './console/api-guide.controller';
import { KeysController } from './console/keys.controller';
import { ApiKey } from './accounts/api-key.entity';
import { EffectivePlan } from './accounts/effective-plan.entity';
import { KeysService } from './accounts/keys.service';
import { OverridesService } from './accounts/overrides.service';
import { ConsoleBlocksController } from './console/blocks.controller';
import { ConsoleContactsController } from './console/contacts.controller';
import { ConsoleConversationsController } from './console/conversations.controller';
import { ExportsController } from './console/exports.controller';
import { ConsoleJobsController } from './console/jobs.controller';
import { ConsoleMediaController } from './console/media.controller';
import { ConsoleMessagesController } from './console/messages.controller';
import { ConsoleReceiptsController } from './console/receipts.controller';
import { ConsoleSendsController } from './console/sends.controller';
import { ConsoleJobDownloadsController } from './console/job-downloads.controller';
import { NewJobsController } from './console/new-jobs.controller';
import { ManagedTemplatesController } from './console/managed-templates.controller';
import { SecondFactorController } from './console/second-factor.controller';
import { SecondFactorsService } from './access/second-factors.service';
import { SessionController } from './console/session.controller';
import { SessionsService } from './access/sessions.service';
import { TemplateDraftsController } from './console/template-drafts.controller';
import { ContactChanges } from './changes/contact-changes';
import { TemplateChanges } from './changes/template-changes';
import { TemplateSyncController } from './console/template-sync.controller';
import { OtpConsoleController } from './console/otp.controller';
import { WebhookEndpointsController } from './console/webhook-endpoints.controller';
import { WebhookEventsController } from './console/webhook-events.controller';
import { WebhookReplaysController } from './console/webhook-replays.controller';
import { WebhookChanges } from './changes/webhook-changes';
import { ErrorFilter } from './http/error.filter';
import { RequestValidationPipe } from './http/request-validation.pipe';
import { RouteTable } from './http/route-table';
import { IdempotencyService } from './idempotency/idempotency.service';
import { BulkService } from './bulk/bulk.service';
import { DownloadsService } from './bulk/downloads.service';
import { ExcelService } from './bulk/excel.service';
import { SheetPlaces } from './bulk/excel.service';
import { SheetUploadsService } from './bulk/sheet-uploads.service';
import { blobsProvider } from './http/blobs';
import { SettingsChanges } from './changes/settings-changes';
import { OpenSends } from './sending/open-sends';
import { SendForwarder } from './sending/send-forwarder';
import { UploadsService } from './sending/uploads.service';
import { JobChanges } from './changes/job-changes';
import { NumberConnections } from './changes/number-connections';
import { OtpChanges } from './changes/otp-changes';
import { Purges } from './purges';
import { User } from './users/user.entity';
import { UsersService } from './users/users.service';
import { GuidesController } from './v1/reference/guides.controller';
import { ApiDescription, ReferenceController } from './v1/reference/reference.controller';
import { SecurityTxtController } from './v1/reference/security-txt.controller';
import { V1_CONTROLLERS } from './v1/controllers';

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
