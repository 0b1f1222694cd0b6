import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditNames } from './audit-names';
import { AuditedChanges } from './audited-changes';
import { ConsoleAuditLogController } from './console-audit-log.controller';

@Module({
  imports: [ServiceClientsModule],
  controllers: [ConsoleAuditLogController],
  providers: [AuditNames, AuditedChanges],
  exports: [AuditedChanges, AuditNames],
})
export class AuditLogModule {}
