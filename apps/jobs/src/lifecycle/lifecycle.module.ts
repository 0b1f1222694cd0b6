import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { JobsModule } from '../jobs/jobs.module';
import { OutcomesModule } from '../outcomes/outcomes.module';
import { BacklogMetrics } from './backlog-metrics';
import { CloseJobs } from './close-jobs';
import { DropHeldJobs } from './drop-held-jobs';
import { ReconcileOverdue } from './reconcile-overdue';
import { ResumeNumbers } from './resume-numbers';
import { StartJobs } from './start-jobs';

@Module({
  imports: [JobsModule, OutcomesModule, ServiceClientsModule],
  providers: [BacklogMetrics, CloseJobs, DropHeldJobs, ReconcileOverdue, ResumeNumbers, StartJobs],
})
export class LifecycleModule {}
