import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  ANY_OBJECT,
  Doc,
  Either,
  IsTime,
  ListOf,
  Nested,
  notFound,
  OrNull,
  TIME_SCHEMA,
} from '@switchboard/contracts';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { DataSource } from 'typeorm';
import { AUDIT_ACTORS, AUDIT_OUTCOMES, type AuditOutcome, type AuditRecord, findAudit, listAudit } from './audit-log';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { CursorQuery } from '../pagination/page-query';
import { IsOneOf, IsPointInTime, IsRecordText } from '../pagination/query-rules';
import { ApiAnswer, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { requireId } from '../http/path-ids';
import { AuditNames } from './audit-names';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';

/**
 * Actions whose details are operators' internal notes. A process of the previous version may still write the second
 * name.
 */
const INTERNAL = new Set(['account.suspend', 'account.suspended']);

class AuditEntry {
  @IsString() id: string;
  @IsTime() at: Date;
  @Doc('ID of a user, `operator`, or the name of the service that acted automatically') @IsString() actor: string;
  @Doc('Name of the user; null for operators and services') @OrNull() @IsString() actorName: string | null;
  @Doc('Requested action', { example: 'key.revoke' }) @IsString() action: string;
  @Doc('Target as given in the request. The target of a rejected request may not exist') @IsString() target: string;
  @Doc('Display name of the target: a name, URL or phone number. Null if the target has no name or no longer exists')
  @OrNull()
  @IsString()
  targetName: string | null;
  @Doc('`unknown`: in progress, or the outcome was never reported. Null: recorded before outcomes were tracked')
  @OrNull()
  @IsIn(AUDIT_OUTCOMES)
  outcome: AuditOutcome | null;
  @Doc('Reason for the rejection', { example: 'NOT_FOUND' }) @OrNull() @IsString() errorCode: string | null;
  @Doc('Additional details: values set, reasons, counts. Never a secret')
  @Either(ANY_OBJECT)
  details: object;
}

@Answer()
class AuditLog {
  @ListOf(() => AuditEntry) entries: AuditEntry[];
  @OrNull() @IsString() nextCursor: string | null;
}

@Answer()
class AuditEntryAnswer {
  @Nested(() => AuditEntry) entry: AuditEntry;
}

class AuditLogQuery extends CursorQuery {
  @IsOptional() @IsRecordText(100) action?: string;
  @IsOptional() @IsRecordText(100) actor?: string;
  @IsOptional() @IsRecordText(255) target?: string;
  @IsOptional() @IsOneOf(AUDIT_OUTCOMES) outcome?: AuditOutcome;
  @IsOptional() @IsPointInTime() since?: string;
  @IsOptional() @IsPointInTime() until?: string;
}

@ApiTags('Account')
@Controller('console/v1/audit-log')
export class ConsoleAuditLogController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly names: AuditNames,
  ) {}

  @Get()
  @Roles('owner')
  @ApiOperation({
    operationId: 'listAuditLog',
    summary: 'List audit log entries, newest first: changes with their actors, and entries of the service itself',
  })
  @ApiCursorPaging()
  @ApiFilter(
    'action',
    { type: 'string' },
    'One action, such as `key.revoke`, or all actions of a kind, such as `key`. The kind `template` includes drafts and samples',
  )
  @ApiFilter('actor', { type: 'string' }, `ID of a user, or one of ${AUDIT_ACTORS.join(', ')}`)
  @ApiFilter('target', { type: 'string' }, 'ID of the changed object')
  @ApiFilter('outcome', { type: 'string', enum: AUDIT_OUTCOMES })
  @ApiFilter('since', TIME_SCHEMA, 'Only entries recorded at or after this time')
  @ApiFilter('until', TIME_SCHEMA, 'Only entries recorded before this time')
  @ApiAnswer(AuditLog)
  @ApiRefusals('INVALID_VALUE', 'ROLE_NOT_ALLOWED')
  async list(
    @SignedIn() { account }: ConsoleUser,
    @Query() { cursor, since, until, ...query }: AuditLogQuery,
  ): Promise<Success<AuditLog>> {
    const { entries, nextCursor } = await withinDatabaseDeadline(
      listAudit(this.dataSource, {
        ...query,
        accountId: account.id,
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
        before: cursor,
      }),
    );
    return { success: true, entries: await this.shown(account, entries), nextCursor };
  }

  @Get(':entryId')
  @Roles('owner')
  @ApiOperation({ operationId: 'getAuditEntry', summary: 'Retrieve an audit log entry' })
  @ApiAnswer(AuditEntryAnswer)
  @ApiRefusals('NOT_FOUND', 'ROLE_NOT_ALLOWED')
  async show(@SignedIn() { account }: ConsoleUser, @Param('entryId') id: string): Promise<Success<AuditEntryAnswer>> {
    const found = await withinDatabaseDeadline(findAudit(this.dataSource, account.id, requireId('aud', id)));
    const [entry] = found ? await this.shown(account, [found]) : [];
    if (!entry) throw notFound('entry of the audit log');
    return { success: true, entry };
  }

  private async shown(account: ConsoleUser['account'], entries: AuditRecord[]): Promise<AuditEntry[]> {
    const names = await this.names.of(
      account,
      entries.flatMap(({ actor, action, target }) => [
        { action: '', id: publicActor(actor) },
        { action, id: target },
      ]),
    );
    return entries.map(({ entryId: id, at, actor, action, target, outcome, errorCode, details }) => ({
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
  }
}

/** Hides operators' names from customers. Users appear by id. */
function publicActor(actor: string): string {
  return actor.startsWith('cli:') ? 'operator' : actor.replace(/^user:/, '');
}
