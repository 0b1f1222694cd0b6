import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, brokerModule, outboxRelayModule } from '@switchboard/broker';
import { databaseModule } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger } from '@switchboard/platform';
import { AccessService } from './access/access.service';
import { ClientLookup } from './access/client-lookup';
import { RateLimits } from './access/rate-limits';
import { CreditsService } from './accounts/credits.service';
import { CallbacksController } from './callbacks/callbacks.controller';
import { CallbacksService } from './callbacks/callbacks.service';
import type { GatewayConfig } from './config';
import { ErrorFilter } from './http/error.filter';
import { RouteTable } from './http/route-table';
import { JobsController } from './jobs/jobs.controller';
import { MeController } from './me/me.controller';
import { MessagesController } from './messages/messages.controller';
import { OtpController } from './otp/otp.controller';
import { ApiDescription, ReferenceController } from './reference/reference.controller';
import { TemplatesController } from './templates/templates.controller';

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
        MeController,
        TemplatesController,
        OtpController,
        JobsController,
        CallbacksController,
        ReferenceController,
      ],
      providers: [...shared, AccessService, ClientLookup, RateLimits, RouteTable, ErrorFilter, CreditsService, CallbacksService, ApiDescription],
    };
  }
}
