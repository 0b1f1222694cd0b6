import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger, Loops } from '@switchboard/platform';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { TemplateCacheModule } from '@switchboard/template-cache';
import { CodesController } from './codes/codes.controller';
import { CodesService } from './codes/codes.service';
import type { OtpConfig } from './config';
import { entities } from './entities';
import { FiguresController } from './figures/figures.controller';
import { SendCredits } from './sends/credits';
import { SendBegin } from './sends/send-begin.service';
import { SendOutcomes } from './sends/send-outcomes.service';
import { CodeSender } from './sends/code-sender';
import { SendsController } from './sends/sends.controller';
import { SettleOpenSends } from './sends/settle-open-sends.service';
import { AccountSettings } from './settings/account-settings.entity';
import { SettingsController } from './settings/settings.controller';
import { Purge } from './upkeep/purge';
import { SettingsService } from './settings/settings.service';
import { EraseController } from './upkeep/erase.controller';

@Module({})
export class OtpModule {
  static with({ config, logger, broker }: { config: OtpConfig; logger: Logger; broker: Broker }): DynamicModule {
    return {
      module: OtpModule,
      imports: [
        DatabaseModule.forRoot({ schema: 'otp', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        TypeOrmModule.forFeature([AccountSettings]),
        BrokerModule.forRoot(broker),
        OutboxRelayModule,
        ServiceClientsModule,
        DiscoveryModule,
        TemplateCacheModule,
      ],
      controllers: [CodesController, SendsController, SettingsController, FiguresController, EraseController],
      providers: [
        CodesService,
        SettingsService,
        Purge,
        CodeSender,
        SendBegin,
        SendCredits,
        SendOutcomes,
        SettleOpenSends,
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        Loops,
      ],
    };
  }
}
