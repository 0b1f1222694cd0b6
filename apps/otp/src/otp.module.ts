import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, brokerModule, outboxRelayModule } from '@switchboard/broker';
import { databaseModule, poolSizes } from '@switchboard/database';
import { CONFIG, type Logger, LOGGER } from '@switchboard/platform';
import { TemplateCacheModule } from '@switchboard/template-cache';
import { CodesController } from './codes/codes.controller';
import { CodesService } from './codes/codes.service';
import type { OtpConfig } from './config';
import { FiguresController } from './figures/figures.controller';
import { SendCredits } from './sends/credits';
import { OpenSendsTimer } from './sends/open-sends.timer';
import { SendBegin } from './sends/send-begin.service';
import { SendOutcomes } from './sends/send-outcomes.service';
import { SendService } from './sends/send.service';
import { SendsController } from './sends/sends.controller';
import { SettleOpenSends } from './sends/settle-open-sends.service';
import { SettingsController } from './settings/settings.controller';
import { SettingsService } from './settings/settings.service';
import { EraseController } from './upkeep/erase.controller';
import { PurgeTimer } from './upkeep/purge.timer';

@Module({})
export class OtpModule {
  static with({ config, logger, broker }: { config: OtpConfig; logger: Logger; broker: Broker }): DynamicModule {
    return {
      module: OtpModule,
      imports: [
        databaseModule({ schema: 'otp', url: config.DATABASE_URL, sizes: poolSizes(config) }),
        brokerModule(broker),
        outboxRelayModule(),
        TemplateCacheModule,
      ],
      controllers: [CodesController, SendsController, SettingsController, FiguresController, EraseController],
      providers: [
        ...[CodesService, SettingsService, PurgeTimer],
        ...[SendService, SendBegin, SendCredits, SendOutcomes, SettleOpenSends, OpenSendsTimer],
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
      ],
    };
  }
}
