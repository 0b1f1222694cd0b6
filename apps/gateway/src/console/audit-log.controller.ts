import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { listAudit } from '../accounts/audit-log';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { type Query as ListQuery, parsePaging } from '../lists/list-query';
import { ApiAnswer, ApiFilter, ApiRefusals } from '../openapi/decorators';
import { integer, text } from '../openapi/schema';
import { ConsoleRoute } from '../access/console-route';
import { type ConsoleUser, SignedIn } from '../caller/console-user';

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
  @ApiFilter('limit', { ...integer, minimum: 1, default: 20 }, 'Above 100 counts as 100')
  @ApiFilter('cursor', text(), '`nextCursor` of the page before')
  @ApiAnswer('AuditLog')
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
