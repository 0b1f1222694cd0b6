import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { RetentionController } from './retention.controller';
import { RetentionService } from './retention.service';

@Module({
  imports: [ServiceClientsModule],
  controllers: [RetentionController],
  providers: [RetentionService],
})
export class RetentionModule {}
