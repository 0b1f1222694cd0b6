import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { MessagesModule } from '../messages/messages.module';
import { ConsoleResultsController } from './console-results.controller';

@Module({
  imports: [AuditLogModule, MessagesModule, ServiceClientsModule],
  controllers: [ConsoleResultsController],
})
export class ResultsModule {}
