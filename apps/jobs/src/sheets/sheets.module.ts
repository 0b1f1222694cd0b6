import { type DynamicModule, Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { EstimatesModule } from '../estimates/estimates.module';
import { JobsModule } from '../jobs/jobs.module';
import { ExcelJobsService } from './excel-jobs.service';
import { SHEET_WORKER_URL, SheetReader } from './sheet-reader';
import { SheetCleanup } from './sheet-cleanup';
import { SheetsController } from './sheets.controller';

@Module({
  imports: [BlobsModule, EstimatesModule, JobsModule],
  controllers: [SheetsController],
  providers: [ExcelJobsService, SheetReader, SheetCleanup],
})
export class SheetsModule {
  /** @param workerUrl program of the threads that read spreadsheets (`sheet-worker.ts`) */
  static forRoot(workerUrl: URL): DynamicModule {
    return { module: SheetsModule, providers: [{ provide: SHEET_WORKER_URL, useValue: workerUrl }] };
  }
}
