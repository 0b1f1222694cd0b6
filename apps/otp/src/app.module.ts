import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { type Logger, PlatformModule } from '@switchboard/platform';
import type { OtpConfig } from './config';
import { entities } from './entities';
import { CodesModule } from './codes/codes.module';
import { SendsModule } from './sends/sends.module';
import { SettingsModule } from './settings/settings.module';
import { StatisticsModule } from './statistics/statistics.module';
import { CleanupModule } from './cleanup/cleanup.module';

@Module({
  imports: [OutboxRelayModule, CodesModule, SendsModule, SettingsModule, StatisticsModule, CleanupModule],
})
export class AppModule {
  static forRoot({ config, logger, broker }: { config: OtpConfig; logger: Logger; broker: Broker }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot({ config, logger }),
        DatabaseModule.forRoot({ schema: 'otp', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        BrokerModule.forRoot(broker),
      ],
    };
  }
}
