import { type DynamicModule, Module } from '@nestjs/common';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { type Logger, PlatformModule } from '@switchboard/platform';
import type { JobsConfig } from './config';
import { entities } from './entities';
import { ErasureModule } from './erasure/erasure.module';
import { EstimatesModule } from './estimates/estimates.module';
import { JobsModule } from './jobs/jobs.module';
import { OutcomesModule } from './outcomes/outcomes.module';
import { RecipientsModule } from './recipients/recipients.module';
import { ReleaseModule } from './release/release.module';
import { RetentionModule } from './retention/retention.module';
import { LifecycleModule } from './lifecycle/lifecycle.module';
import { SheetsModule } from './sheets/sheets.module';

@Module({
  imports: [
    OutboxRelayModule,
    JobsModule,
    EstimatesModule,
    RecipientsModule,
    ReleaseModule,
    OutcomesModule,
    LifecycleModule,
    ErasureModule,
    RetentionModule,
  ],
})
export class AppModule {
  static forRoot({
    config,
    logger,
    broker,
    sheetWorkerUrl,
  }: {
    config: JobsConfig;
    logger: Logger;
    broker: Broker;
    sheetWorkerUrl: URL;
  }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot({ config, logger }),
        DatabaseModule.forRoot({ schema: 'jobs', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        BrokerModule.forRoot(broker),
        SheetsModule.forRoot(sheetWorkerUrl),
      ],
    };
  }
}
