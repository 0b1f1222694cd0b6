import { Module } from '@nestjs/common';
import { HeaderSamplesModule } from '../header-samples/header-samples.module';
import { SyncModule } from '../sync/sync.module';
import { UpstreamModule } from '../upstream/upstream.module';
import { DraftsController } from './drafts.controller';
import { DraftsService } from './drafts.service';
import { SubmissionLoop, SubmissionService } from './submission.service';

@Module({
  imports: [HeaderSamplesModule, SyncModule, UpstreamModule],
  controllers: [DraftsController],
  providers: [DraftsService, SubmissionLoop, SubmissionService],
})
export class DraftsModule {}
