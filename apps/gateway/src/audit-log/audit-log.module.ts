import { Module } from '@nestjs/common';
import { AuditNames } from './audit-names';
import { AuditedChanges } from './audited-changes';
import { ConsoleAuditLogController } from './console-audit-log.controller';

@Module({
  controllers: [ConsoleAuditLogController],
  providers: [AuditNames, AuditedChanges],
  exports: [AuditedChanges],
})
export class AuditLogModule {}
