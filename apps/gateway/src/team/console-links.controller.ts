import { Body, Controller, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Doc, IsTime, Nested } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { IsIn, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InvitationsService } from './invitations.service';
import { Public } from '../decorators/public.decorator';
import { sessionCookie } from '../sessions/session-cookie';
import { SessionsService } from '../sessions/sessions.service';
import { TeamService } from './team.service';
import { type Role, ROLES } from '../request-context/roles';
import type { GatewayConfig } from '../config';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { AcceptanceBody, LinkTokenBody, PasswordResetBody } from '../users/user.bodies';
import { meOf, originOf, SignedInAnswer } from '../sessions/console-session.controller';

const BECAUSE =
  'a person with a link has no session yet; the token has 256 random bits, and failed uses are counted per address';
const AS_SIGN_IN = { isSignIn: true, bodyLimitBytes: 8_192 };

class OpenedInvitation {
  @Doc('Name of the account') @IsString() account: string;
  @IsString() email: string;
  @IsIn(ROLES) role: Role;
  @IsTime() expiresAt: Date;
}

@Answer()
class OpenedInvitationAnswer {
  @Nested(() => OpenedInvitation) invitation: OpenedInvitation;
}

@Answer()
class PasswordResetDone {
  @Doc('E-mail address with which the user signs in') @IsString() email: string;
}

/** Serves the links created by an owner. The token never appears in a URL or a log. */
@ApiTags('Session')
@Controller('console/v1')
export class ConsoleLinksController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly invitations: InvitationsService,
    private readonly team: TeamService,
    private readonly sessions: SessionsService,
  ) {}

  @Post('invitations/open')
  @HttpCode(200)
  @Public(BECAUSE, AS_SIGN_IN)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'openInvitation', summary: 'Retrieve the details of an invitation' })
  @ApiBodies({ json: LinkTokenBody })
  @ApiAnswer(OpenedInvitationAnswer)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'NOT_FOUND', 'CSRF_TOKEN_INVALID', 'SIGN_IN_LOCKED')
  async open(
    @Req() request: FastifyRequest,
    @Body() { token }: LinkTokenBody,
  ): Promise<Success<OpenedInvitationAnswer>> {
    const { accountName: account, email, role, expiresAt } = await this.invitations.open(token);
    await this.sessions.takeBackAddress(originOf(request, this.config).address);
    return { success: true, invitation: { account, email, role, expiresAt } };
  }

  @Post('invitations/accept')
  @HttpCode(200)
  @Public(BECAUSE, AS_SIGN_IN)
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'acceptInvitation', summary: 'Accept an invitation, and sign in' })
  @ApiBodies({ json: AcceptanceBody })
  @ApiAnswer(SignedInAnswer)
  @ApiRefusals(
    'MISSING_FIELD',
    'TEXT_TOO_LONG',
    'INVALID_VALUE',
    'NOT_FOUND',
    'SIGN_IN_FAILED',
    'CSRF_TOKEN_INVALID',
    'SIGN_IN_LOCKED',
  )
  async accept(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { token, name, password }: AcceptanceBody,
  ): Promise<Success<SignedInAnswer>> {
    const origin = originOf(request, this.config);
    const session = await this.invitations.accept(token, { name, password, ...origin });
    reply.header('set-cookie', sessionCookie(session, this.config));
    return meOf(await this.sessions.requireUser(session), origin);
  }

  @Post('password-resets/complete')
  @HttpCode(200)
  @Public(BECAUSE, AS_SIGN_IN)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'completePasswordReset',
    summary: 'Set a new password with a reset link; ends all sessions of the user',
    description: 'Does not sign the user in. Sign-in still requires the second factor.',
  })
  @ApiBodies({ json: PasswordResetBody })
  @ApiAnswer(PasswordResetDone)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE', 'NOT_FOUND', 'CSRF_TOKEN_INVALID', 'SIGN_IN_LOCKED')
  async completeReset(
    @Req() request: FastifyRequest,
    @Body() { token, newPassword }: PasswordResetBody,
  ): Promise<Success<PasswordResetDone>> {
    const done = await this.team.completeReset(token, newPassword);
    // The password has already been changed; a failure here must not hide that.
    await this.sessions.takeBackAddress(originOf(request, this.config).address).catch(() => undefined);
    return { success: true, ...done };
  }
}
