import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, BodySchema, Doc, IsTime, ListOf, OrNull } from '@switchboard/contracts';
import { IsBoolean, IsInt, IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { type SessionRecord, SessionsService } from '../sessions/sessions.service';
import { TeamService } from './team.service';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';
import { CursorQuery } from '../pagination/page-query';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { Done, ProfileBody } from '../users/user.bodies';

@BodySchema({ name: 'Session' })
class ShownSession {
  @IsString() id: string;
  @Doc('Whether this is the session of the request') @IsBoolean() isCurrent: boolean;
  @IsTime() createdAt: Date;
  @Doc('Time of the last use, accurate to the minute') @IsTime() seenAt: Date;
  @IsTime() expiresAt: Date;
  @Doc('IP address from which the session was started') @OrNull() @IsString() address: string | null;
  @Doc('User agent of the browser') @OrNull() @IsString() userAgent: string | null;
}

@Answer()
class SessionList {
  @ListOf(() => ShownSession) sessions: ShownSession[];
  @OrNull() @IsString() nextCursor: string | null;
}

@Answer()
class EndedSessions {
  @Doc('Number of sessions ended') @IsInt() ended: number;
}

@ApiTags('Session')
@Controller('console/v1/me')
export class ConsoleProfileController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly team: TeamService,
  ) {}

  @Patch()
  @Roles('viewer')
  @ApiOperation({ operationId: 'changeProfile', summary: 'Update your own name' })
  @ApiBodies({ json: ProfileBody })
  @ApiAnswer(Done)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE')
  async rename(@SignedIn() user: ConsoleUser, @Body() body: ProfileBody): Promise<Success<Done>> {
    await this.team.renameSelf(user, body.name);
    return { success: true };
  }

  @Get('sessions')
  @Roles('viewer')
  @ApiOperation({ operationId: 'listSessions', summary: 'List your sessions, newest first' })
  @ApiCursorPaging()
  @ApiAnswer(SessionList)
  @ApiRefusals()
  async list(
    @SignedIn() user: ConsoleUser,
    @Query() { limit, cursor: before }: CursorQuery,
  ): Promise<Success<SessionList>> {
    const sessions = await this.sessions.listSessions(user, { limit, before });
    const nextCursor = sessions.length === limit ? (sessions.at(-1)?.sessionId ?? null) : null;
    return { success: true, sessions: sessions.map((session) => shown(session, user)), nextCursor };
  }

  @Delete('sessions')
  @Roles('viewer')
  @ApiOperation({ operationId: 'endOtherSessions', summary: 'End all your other sessions' })
  @ApiAnswer(EndedSessions)
  @ApiRefusals()
  async endOthers(@SignedIn() user: ConsoleUser): Promise<Success<EndedSessions>> {
    return { success: true, ended: await this.sessions.endOthers(user) };
  }

  @Delete('sessions/:sessionId')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'endSession',
    summary: 'End one of your other sessions',
    description: 'Use `signOut` to end the session of the request itself.',
  })
  @ApiAnswer(EndedSessions)
  @ApiRefusals('NOT_FOUND')
  async end(@SignedIn() user: ConsoleUser, @Param('sessionId') sessionId: string): Promise<Success<EndedSessions>> {
    return { success: true, ended: await this.sessions.endOthers(user, requireId('ses', sessionId)) };
  }
}

function shown({ sessionId: id, ...session }: SessionRecord, { sessionId }: ConsoleUser): ShownSession {
  return { id, isCurrent: id === sessionId, ...session };
}
