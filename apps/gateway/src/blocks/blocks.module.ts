import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { BlocksController } from './blocks.controller';
import { BlocksService } from './blocks.service';
import { ConsoleBlocksController } from './console-blocks.controller';

@Module({
  imports: [AuditLogModule, ServiceClientsModule],
  controllers: [BlocksController, ConsoleBlocksController],
  providers: [BlocksService],
})
export class BlocksModule {}
