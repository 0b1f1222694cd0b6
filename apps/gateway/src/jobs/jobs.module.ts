import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AccountsModule } from '../accounts/accounts.module';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { FormStoreModule } from '../http/form-store.module';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { AudienceService } from './audience.service';
import { BulkController } from './bulk.controller';
import { BulkService } from './bulk.service';
import { ConsoleAudienceController } from './console-audience.controller';
import { ConsoleJobDownloadsController } from './console-job-downloads.controller';
import { ConsoleJobPricesController } from './console-job-prices.controller';
import { ConsoleJobsController } from './console-jobs.controller';
import { ConsoleNewJobsController } from './console-new-jobs.controller';
import { DownloadsController } from './downloads.controller';
import { DownloadsService } from './downloads.service';
import { ExcelController } from './excel.controller';
import { ExcelService, UploadLimiter } from './excel.service';
import { JobNoticesController } from './job-notices.controller';
import { JobsController } from './jobs.controller';
import { JobsService } from './jobs.service';
import { QuietHoursService } from './quiet-hours';
import { SheetUploadsService } from './sheet-uploads.service';

@Module({
  imports: [AccountsModule, AuditLogModule, FormStoreModule, IdempotencyModule, ServiceClientsModule],
  controllers: [
    BulkController,
    ConsoleAudienceController,
    ConsoleJobDownloadsController,
    ConsoleJobPricesController,
    ConsoleJobsController,
    ConsoleNewJobsController,
    DownloadsController,
    ExcelController,
    JobNoticesController,
    JobsController,
  ],
  providers: [
    AudienceService,
    BulkService,
    DownloadsService,
    ExcelService,
    JobsService,
    QuietHoursService,
    UploadLimiter,
    SheetUploadsService,
  ],
})
export class JobsModule {}
