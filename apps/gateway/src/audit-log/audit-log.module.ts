import { Module } from '@nestjs/common';
import { AuditNames } from './audit-names';
import { AuditedChanges } from './audited-changes';
import { AuditLogController } from './console-audit-log.controller';

@Module({
  controllers: [AuditLogController],
  providers: [AuditNames, AuditedChanges],
  exports: [AuditedChanges],
})
export class AuditLogModule {}
