import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { RefreshLimits } from './refresh-limits';
import { ReleaseService } from './release.service';

@Module({
  imports: [ServiceClientsModule],
  providers: [RefreshLimits, ReleaseService],
})
export class ReleaseModule {}
