import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { JobsModule } from '../jobs/jobs.module';
import { RefreshLimits } from './refresh-limits';
import { ReleaseService } from './release.service';

@Module({
  imports: [JobsModule, ServiceClientsModule],
  providers: [RefreshLimits, ReleaseService],
})
export class ReleaseModule {}
