import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, brokerModule, outboxRelayModule } from '@switchboard/broker';
import { databaseModule } from '@switchboard/database';
import { CONFIG, type Logger, LOGGER } from '@switchboard/platform';
import type { UpstreamClient } from '@switchboard/upstream';
import { CallbacksController } from './callbacks/callbacks.controller';
import { CallbacksService } from './callbacks/callbacks.service';
import type { MessagingConfig } from './config';
import { MessagesController } from './messages/messages.controller';
import { MessagesService } from './messages/messages.service';
import { SendService } from './messages/send.service';
import { UpstreamSender } from './messages/upstream-sender';
import { NumbersController } from './numbers/numbers.controller';
import { NumbersService } from './numbers/numbers.service';
import { ReconcileService } from './reconcile/reconcile.service';
import { ReconcileTimer } from './reconcile/reconcile.timer';
import { TemplateCache } from './templates/template-cache';
import { TemplatesController } from './templates/templates.controller';
import { UPSTREAM } from './upstream.token';

export interface MessagingParts {
  config: MessagingConfig;
  logger: Logger;
  broker: Broker;
  upstream: UpstreamClient;
}

@Module({})
export class MessagingModule {
  static with({ config, logger, broker, upstream }: MessagingParts): DynamicModule {
    return {
      module: MessagingModule,
      imports: [databaseModule({ schema: 'messaging', url: config.DATABASE_URL }), brokerModule(broker), outboxRelayModule()],
      controllers: [MessagesController, NumbersController, TemplatesController, CallbacksController],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: UPSTREAM, useValue: upstream },
        UpstreamSender,
        SendService,
        MessagesService,
        NumbersService,
        TemplateCache,
        CallbacksService,
        ReconcileService,
        ReconcileTimer,
      ],
    };
  }
}
