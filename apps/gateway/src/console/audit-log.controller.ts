import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Doc, IsTime, ListOf, OrNull } from '@switchboard/contracts';
import { IsIn, IsString } from 'class-validator';
import { DataSource } from 'typeorm';
import { AUDIT_OUTCOMES, type AuditOutcome, listAudit } from '../accounts/audit-log';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { type Query as ListQuery, parsePaging } from '../lists/list-query';
import { ApiAnswer, ApiCursorPaging, ApiRefusals } from '../openapi/decorators';
import { ConsoleRoute } from '../access/console-route';
import { type ConsoleUser, SignedIn } from '../caller/console-user';

class AuditEntry {
  @IsString() id: string;
  @IsTime() at: string;
  @IsString() actor: string;
  @Doc('What was to be done') @IsString() action: string;
  @Doc('As given: when it was refused, there may be no such thing') @IsString() target: string;
  @Doc('`unknown`: it is under way, or its outcome was never reported. Null: noted before outcomes were')
  @OrNull()
  @IsIn(AUDIT_OUTCOMES)
  outcome: AuditOutcome | null;
  @Doc('Why it was refused', { example: 'NOT_FOUND' }) @OrNull() @IsString() errorCode: string | null;
}

@Answer()
class AuditLog {
  @ListOf(() => AuditEntry) entries: AuditEntry[];
  @OrNull() @IsString() nextCursor: string | null;
}

@ApiTags('Account')
@Controller('console/v1/audit-log')
export class AuditLogController {
  constructor(private readonly dataSource: DataSource) {}

  @Get()
  @ConsoleRoute('owner')
  @ApiOperation({
    operationId: 'listAuditLog',
    summary: 'List the audit log, newest entry first: who changed what, and what the service itself noted',
  })
  @ApiCursorPaging()
  @ApiAnswer(AuditLog)
  @ApiRefusals('INVALID_VALUE', 'ROLE_NOT_ALLOWED')
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: ListQuery): Promise<object> {
    const { limit, cursor } = parsePaging(query);
    const entries = await withinDatabaseDeadline(
      listAudit(this.dataSource, { accountId: account.id, limit, before: cursor }),
    );
    const shown = entries.map(({ entryId: id, at, actor, action, target, outcome, errorCode }) => {
      return { id, at, actor: publicActor(actor), action, target, outcome, errorCode };
    });
    return {
      success: true,
      entries: shown,
      nextCursor: entries.length === limit ? (entries.at(-1)?.entryId ?? null) : null,
    };
  }
}

/** Who operates the installation is nothing to its customers. */
function publicActor(actor: string): string {
  return actor.startsWith('cli:') ? 'operator' : actor;
}
