import { type DynamicModule, Module } from '@nestjs/common';
import { Broker, brokerModule, outboxRelayModule } from '@switchboard/broker';
import { databaseModule, Transactions } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger } from '@switchboard/platform';
import { AccessChangesController } from './access/access-changes.controller';
import { AccessService } from './access/access.service';
import { ClientLookup } from './access/client-lookup';
import { KeyCache } from './access/key-cache';
import { RateLimits } from './access/rate-limits';
import { RateStore, rateStoreOf } from './access/rate-store';
import { CreditRounds } from './accounts/credit-rounds';
import { CreditsController } from './accounts/credits.controller';
import { EndpointNoticesController } from './accounts/endpoint-notices.controller';
import { CreditsService } from './accounts/credits.service';
import { ReservationsService } from './accounts/reservations.service';
import { CallbackPurge } from './callbacks/callback-purge';
import { CallbacksController } from './callbacks/callbacks.controller';
import { CallbacksService } from './callbacks/callbacks.service';
import { DoorBeat } from './callbacks/door-beat';
import type { GatewayConfig } from './config';
import { AuditLogController } from './console/audit-log.controller';
import { ConsoleAccess } from './console/console-access';
import { ConsolePurge } from './console/console-purge';
import { SessionController } from './console/session.controller';
import { SessionsService } from './console/sessions.service';
import { WebhookEndpointsController } from './console/webhook-endpoints.controller';
import { WebhookEventsController } from './console/webhook-events.controller';
import { WebhookReplaysController } from './console/webhook-replays.controller';
import { WebhookSettings } from './console/webhook-settings';
import { ContactsController } from './contacts/contacts.controller';
import { ConversationsController } from './conversations/conversations.controller';
import { ErrorFilter } from './http/error.filter';
import { RouteTable } from './http/route-table';
import { IdempotencyPurge } from './idempotency/idempotency-purge';
import { IdempotencyService } from './idempotency/idempotency.service';
import { JobsController } from './jobs/jobs.controller';
import { MeController } from './me/me.controller';
import { MediaController } from './media/media.controller';
import { blobsProvider } from './media/blobs';
import { MessagesController } from './messages/messages.controller';
import { SendController } from './messages/send.controller';
import { SendService } from './messages/send.service';
import { UploadsService } from './messages/uploads.service';
import { OtpController } from './otp/otp.controller';
import { ApiDescription, ReferenceController } from './reference/reference.controller';
import { TemplatesController } from './templates/templates.controller';

const ACCESS = [AccessService, ClientLookup, KeyCache, RateLimits, { provide: RateStore, useFactory: rateStoreOf, inject: [CONFIG, LOGGER] }, IdempotencyService, IdempotencyPurge];
const FILES = [blobsProvider, UploadsService, SendService];
const CONSOLE_ROUTES = [SessionController, WebhookEndpointsController, WebhookEventsController, WebhookReplaysController, AuditLogController];
const CONSOLE = [
  ...[ConsoleAccess, SessionsService, ConsolePurge],
  {
    provide: WebhookSettings,
    useFactory: (broker: Broker, transactions: Transactions, { ENCRYPTION_KEY }: GatewayConfig) => new WebhookSettings(broker, transactions, ENCRYPTION_KEY),
    inject: [Broker, Transactions, CONFIG],
  },
];
const CREDITS = [CreditsService, ReservationsService, CreditRounds];

@Module({})
export class GatewayModule {
  static with({ config, broker, logger }: { config: GatewayConfig; broker: Broker; logger: Logger }): DynamicModule {
    const shared = [
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
    ];
    return {
      module: GatewayModule,
      imports: [databaseModule({ schema: 'gateway', url: config.DATABASE_URL }), brokerModule(broker), outboxRelayModule()],
      controllers: [
        MessagesController,
        ContactsController,
        ConversationsController,
        SendController,
        MediaController,
        MeController,
        TemplatesController,
        OtpController,
        JobsController,
        CallbacksController,
        ReferenceController,
        AccessChangesController,
        CreditsController,
        EndpointNoticesController,
        ...CONSOLE_ROUTES,
      ],
      providers: [...shared, ...ACCESS, ...CREDITS, ...CONSOLE, ...FILES, RouteTable, ErrorFilter, CallbacksService, CallbackPurge, DoorBeat, ApiDescription],
    };
  }
}
