import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '@switchboard/contracts';
import { IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { type InvitationRecord, InvitationsService } from './invitations.service';
import { TeamService } from './team.service';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { type Role, ROLES } from '../request-context/roles';
import { requireId } from '../http/path-ids';
import { CursorQuery } from '../pagination/page-query';
import { ApiAnswer, ApiBodies, ApiCursorPaging, ApiRefusals, type Success } from '../openapi/decorators';
import type { UserRecord } from '../users/users.service';
import { Done } from '../users/user.bodies';

const ROLE =
  'A viewer has read access, an agent also answers conversations but cannot download exports or job results, an admin can also make changes, and an owner also manages keys, users and the audit log';
const TOKEN = 'Shown only in this response. The link is the URL of the dashboard followed by';

@BodySchema({ name: 'NewInvitation', example: () => ({ email: 'ravi@example.com', role: 'admin' }) })
class InvitationBody {
  @IsString() @MaxLength(255) email: string;
  @Doc(ROLE) @IsIn(ROLES) role: Role;
}

@BodySchema({ name: 'UserChange', example: () => ({ role: 'viewer' }) })
class MemberChangeBody {
  @Doc(ROLE) @IsOptional() @IsIn(ROLES) role?: Role;
  @Doc('True: the user is signed out and cannot sign in') @IsOptional() @IsBoolean() isDisabled?: boolean;
}

@BodySchema({ name: 'User' })
class ShownUser {
  @IsString() id: string;
  @IsString() email: string;
  @IsString() name: string;
  @IsIn(ROLES) role: Role;
  @IsBoolean() isDisabled: boolean;
  @IsBoolean() hasSecondFactor: boolean;
  @OrNull() @IsTime() lastSignInAt: Date | null;
  @IsTime() createdAt: Date;
}

@Answer()
class UserList {
  @ListOf(() => ShownUser) users: ShownUser[];
  @OrNull() @IsString() nextCursor: string | null;
}

@Answer()
class UserAnswer {
  @Nested(() => ShownUser) user: ShownUser;
}

@BodySchema({ name: 'Invitation' })
class ShownInvitation {
  @IsString() id: string;
  @IsString() email: string;
  @IsIn(ROLES) role: Role;
  @Doc('ID of the user who created it') @IsString() invitedBy: string;
  @IsTime() createdAt: Date;
  @IsTime() expiresAt: Date;
}

@Answer()
class InvitationList {
  @ListOf(() => ShownInvitation) invitations: ShownInvitation[];
  @OrNull() @IsString() nextCursor: string | null;
}

@Answer()
class NewInvitationAnswer {
  @Nested(() => ShownInvitation) invitation: ShownInvitation;
  @Doc(`${TOKEN} \`/dashboard/invitation#<token>\``) @IsString() token: string;
}

@Answer()
class PasswordResetAnswer {
  @Doc(`${TOKEN} \`/dashboard/password#<token>\``) @IsString() token: string;
  @IsTime() expiresAt: Date;
}

@ApiTags('Team')
@Controller('console/v1')
export class ConsoleTeamController {
  constructor(
    private readonly team: TeamService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get('users')
  @Roles('owner')
  @ApiOperation({ operationId: 'listUsers', summary: 'List the users of the account, oldest first' })
  @ApiCursorPaging()
  @ApiAnswer(UserList)
  @ApiRefusals('ROLE_NOT_ALLOWED')
  async list(
    @SignedIn() user: ConsoleUser,
    @Query() { limit, cursor: after }: CursorQuery,
  ): Promise<Success<UserList>> {
    const users = await this.team.listMembers(user, { limit, after });
    const nextCursor = users.length === limit ? (users.at(-1)?.userId ?? null) : null;
    return { success: true, users: users.map(shownUser), nextCursor };
  }

  @Patch('users/:userId')
  @Roles('owner')
  @ApiOperation({
    operationId: 'changeUser',
    summary: 'Change the role of another user, or disable or enable them; effective from their next request',
    description:
      'Users cannot change themselves, so an account always has an owner. When a user is disabled or is no longer an owner, the open invitations and reset links that the user created are revoked.',
  })
  @ApiBodies({ json: MemberChangeBody })
  @ApiAnswer(UserAnswer)
  @ApiRefusals('MISSING_FIELD', 'NOT_FOUND')
  async change(
    @SignedIn() user: ConsoleUser,
    @Param('userId') userId: string,
    @Body() change: MemberChangeBody,
  ): Promise<Success<UserAnswer>> {
    return { success: true, user: shownUser(await this.team.changeMember(user, requireId('usr', userId), change)) };
  }

  @Post('users/:userId/password-reset')
  @Roles('owner')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'offerPasswordReset',
    summary: 'Create a link for another user to set a new password, valid for 24 hours',
    description:
      'Send the link yourself: the service sends no e-mail. The old password remains valid until the link is used.',
  })
  @ApiAnswer(PasswordResetAnswer, { status: 201 })
  @ApiRefusals('NOT_FOUND')
  async resetPassword(
    @SignedIn() user: ConsoleUser,
    @Param('userId') userId: string,
  ): Promise<Success<PasswordResetAnswer>> {
    return { success: true, ...(await this.team.resetPassword(user, requireId('usr', userId))) };
  }

  @Post('users/:userId/second-factor-reset')
  @HttpCode(200)
  @Roles('owner')
  @ApiOperation({
    operationId: 'resetSecondFactor',
    summary: 'Remove the second factor of another user who lost it and all recovery codes; signs the user out',
  })
  @ApiAnswer(UserAnswer)
  @ApiRefusals('NOT_FOUND')
  async resetSecondFactor(
    @SignedIn() user: ConsoleUser,
    @Param('userId') userId: string,
  ): Promise<Success<UserAnswer>> {
    const changed = await this.team.resetSecondFactor(user, requireId('usr', userId));
    return { success: true, user: { ...shownUser(changed), hasSecondFactor: false } };
  }

  @Get('invitations')
  @Roles('owner')
  @ApiOperation({ operationId: 'listInvitations', summary: 'List open invitations, newest first' })
  @ApiCursorPaging()
  @ApiAnswer(InvitationList)
  @ApiRefusals('ROLE_NOT_ALLOWED')
  async listInvitations(
    @SignedIn() user: ConsoleUser,
    @Query() { limit, cursor: before }: CursorQuery,
  ): Promise<Success<InvitationList>> {
    const invitations = await this.invitations.list(user, { limit, before });
    const nextCursor = invitations.length === limit ? (invitations.at(-1)?.invitationId ?? null) : null;
    return { success: true, invitations: invitations.map(shownInvitation), nextCursor };
  }

  @Post('invitations')
  @Roles('owner')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'inviteUser',
    summary: 'Invite a user to the account with a link, valid for seven days',
    description:
      'Send the link yourself: the service sends no e-mail. Another invitation for the same address revokes the earlier link.',
  })
  @ApiBodies({ json: InvitationBody })
  @ApiAnswer(NewInvitationAnswer, { status: 201 })
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG')
  async invite(@SignedIn() user: ConsoleUser, @Body() body: InvitationBody): Promise<Success<NewInvitationAnswer>> {
    const { token, invitation } = await this.invitations.invite(user, body);
    return { success: true, invitation: shownInvitation(invitation), token };
  }

  @Delete('invitations/:invitationId')
  @Roles('owner')
  @ApiOperation({ operationId: 'withdrawInvitation', summary: 'Revoke an invitation; its link stops working' })
  @ApiAnswer(Done)
  @ApiRefusals('NOT_FOUND')
  async withdraw(@SignedIn() user: ConsoleUser, @Param('invitationId') id: string): Promise<Success<Done>> {
    await this.invitations.withdraw(user, requireId('inv', id));
    return { success: true };
  }
}

function shownUser({ userId: id, email, name, role, disabledAt, ...user }: UserRecord): ShownUser {
  const { hasSecondFactor, lastSignInAt, createdAt } = user;
  return { id, email, name, role, isDisabled: disabledAt !== null, hasSecondFactor, lastSignInAt, createdAt };
}

function shownInvitation({ invitationId: id, ...invitation }: InvitationRecord): ShownInvitation {
  return { id, ...invitation };
}
