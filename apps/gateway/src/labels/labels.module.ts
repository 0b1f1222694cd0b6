import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { ConsoleLabelsController } from './console-labels.controller';
import { LabelChanges } from './label-changes';

@Module({
  imports: [AuditLogModule, ServiceClientsModule],
  controllers: [ConsoleLabelsController],
  providers: [LabelChanges],
})
export class LabelsModule {}
