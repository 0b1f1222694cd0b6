import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type Broker, BrokerModule, OutboxRelayModule } from '@switchboard/broker';
import { DatabaseModule, poolSizes } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger, Loops } from '@switchboard/platform';
import { ServiceClientsModule } from '@switchboard/service-clients';
import type { JobsConfig } from './config';
import { entities } from './entities';
import { CreateJobService } from './jobs/create-job.service';
import { JobCheck } from './jobs/job-check';
import { JobControlService } from './jobs/job-control.service';
import { JobsController } from './jobs/jobs.controller';
import { JobsService } from './jobs/jobs.service';
import { StagedRows } from './jobs/jobs.controller';
import { OutcomesController } from './outcomes/outcomes.controller';
import { OutcomesService } from './outcomes/outcomes.service';
import { EraseController } from './erasure/erase.controller';
import { EraseService } from './erasure/erase.controller';
import { RecipientsController } from './recipients/recipients.controller';
import { RecipientsService } from './recipients/recipients.service';
import { ReleaseService } from './release/release.service';
import { RetentionController } from './retention/retention.controller';
import { RetentionService } from './retention/retention.service';
import { blobsProvider } from './sheets/blobs';
import { ExcelJobsService } from './sheets/excel-jobs.service';
import { SheetReader } from './sheets/sheet-reader';
import { SheetSweep } from './sheets/sheet-sweep';
import { SheetsController } from './sheets/sheets.controller';
import { ReconcileOverdue } from './upkeep/reconcile-overdue';
import { CloseJobs } from './upkeep/close-jobs';
import { DropHeldJobs } from './upkeep/drop-held-jobs';
import { StartJobs } from './upkeep/start-jobs';
import { BacklogFigures } from './upkeep/backlog-figures';

export interface JobsParts {
  config: JobsConfig;
  logger: Logger;
  broker: Broker;
  /** The program of the threads that read spreadsheets. */
  sheetWorkerUrl: URL;
}

@Module({})
export class JobsModule {
  static with({ config, logger, broker, sheetWorkerUrl }: JobsParts): DynamicModule {
    return {
      module: JobsModule,
      imports: [
        DatabaseModule.forRoot({ schema: 'jobs', url: config.DATABASE_URL, entities, sizes: poolSizes(config) }),
        BrokerModule.forRoot(broker),
        OutboxRelayModule,
        ServiceClientsModule,
        DiscoveryModule,
      ],
      controllers: [
        JobsController,
        RecipientsController,
        EraseController,
        OutcomesController,
        RetentionController,
        SheetsController,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        Loops,
        BacklogFigures,
        JobsService,
        CreateJobService,
        JobCheck,
        StagedRows,
        JobControlService,
        RecipientsService,
        EraseService,
        OutcomesService,
        blobsProvider,
        ExcelJobsService,
        SheetSweep,
        { provide: SheetReader, useValue: new SheetReader(sheetWorkerUrl, config) },
        ReleaseService,
        StartJobs,
        CloseJobs,
        DropHeldJobs,
        ReconcileOverdue,
        RetentionService,
      ],
    };
  }
}
