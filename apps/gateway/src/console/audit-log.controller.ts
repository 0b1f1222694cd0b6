import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, ANY_OBJECT, Doc, Either, IsTime, ListOf, OrNull, TIME_SCHEMA } from '@switchboard/contracts';
import { IsIn, IsString } from 'class-validator';
import { DataSource } from 'typeorm';
import {
  AUDIT_ACTORS,
  AUDIT_OUTCOMES,
  type AuditFilter,
  type AuditOutcome,
  listAudit,
  namesOf,
} from '../accounts/audit-log';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { type Query as ListQuery, oneOf, parsePaging, storedTextOf, timeOf } from '../lists/list-query';
import { ApiAnswer, ApiCursorPaging, ApiFilter, ApiRefusals } from '../openapi/decorators';
import { ConsoleRoute } from '../access/console-route';
import { type ConsoleUser, SignedIn } from '../caller/console-user';

/** Their details are the operator's own notes. */
const INTERNAL = new Set(['account.suspended']);

class AuditEntry {
  @IsString() id: string;
  @IsTime() at: string;
  @Doc("A user's id, `operator`, or the service that acted by itself") @IsString() actor: string;
  @Doc("The user's name; null for operators and services") @OrNull() @IsString() actorName: string | null;
  @Doc('What was to be done', { example: 'key.revoked' }) @IsString() action: string;
  @Doc('As given: when it was refused, there may be no such thing') @IsString() target: string;
  @Doc('The name of the user or key that was changed') @OrNull() @IsString() targetName: string | null;
  @Doc('`unknown`: it is under way, or its outcome was never reported. Null: noted before outcomes were')
  @OrNull()
  @IsIn(AUDIT_OUTCOMES)
  outcome: AuditOutcome | null;
  @Doc('Why it was refused', { example: 'NOT_FOUND' }) @OrNull() @IsString() errorCode: string | null;
  @Doc('What else is known: the values that were set, reasons, counts. Never a secret')
  @Either(ANY_OBJECT)
  details: object;
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
  @ApiFilter('action', { type: 'string' }, 'One action, such as `key.revoked`, or all of a kind: `key`')
  @ApiFilter('actor', { type: 'string' }, `A user's id, or one of ${AUDIT_ACTORS.join(', ')}`)
  @ApiFilter('target', { type: 'string' }, 'The id of what was changed')
  @ApiFilter('outcome', { type: 'string', enum: AUDIT_OUTCOMES })
  @ApiFilter('since', TIME_SCHEMA, 'Noted at or after this time')
  @ApiFilter('until', TIME_SCHEMA, 'Noted before this time')
  @ApiAnswer(AuditLog)
  @ApiRefusals('INVALID_VALUE', 'ROLE_NOT_ALLOWED')
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: ListQuery): Promise<object> {
    const { limit, cursor } = parsePaging(query);
    const entries = await withinDatabaseDeadline(
      listAudit(this.dataSource, { ...filterOf(query), accountId: account.id, limit, before: cursor }),
    );
    const ids = entries.flatMap(({ actor, target }) => [publicActor(actor), target]);
    const names = await withinDatabaseDeadline(namesOf(this.dataSource, account.id, ids));
    const shown = entries.map(({ entryId: id, at, actor, action, target, outcome, errorCode, details }) => ({
      id,
      at,
      actor: publicActor(actor),
      actorName: names.get(publicActor(actor)) ?? null,
      action,
      target,
      targetName: names.get(target) ?? null,
      outcome,
      errorCode,
      details: INTERNAL.has(action) ? {} : details,
    }));
    return {
      success: true,
      entries: shown,
      nextCursor: entries.length === limit ? (entries.at(-1)?.entryId ?? null) : null,
    };
  }
}

/** @throws AppError INVALID_VALUE, INVALID_PARAMETER */
function filterOf(query: ListQuery): Omit<AuditFilter, 'accountId' | 'limit'> {
  const [since, until] = [timeOf(query, 'since'), timeOf(query, 'until')];
  return {
    action: storedTextOf(query, 'action', 100),
    actor: storedTextOf(query, 'actor', 100),
    target: storedTextOf(query, 'target', 255),
    outcome: oneOf(query, 'outcome', AUDIT_OUTCOMES),
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

/** Who operates the installation is nothing to its customers. A user is named by the id. */
function publicActor(actor: string): string {
  return actor.startsWith('cli:') ? 'operator' : actor.replace(/^user:/, '');
}
