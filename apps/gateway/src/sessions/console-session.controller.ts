import { Body, Controller, Delete, Get, Header, HttpCode, Inject, Post, Put, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, BodySchema, Doc, IsTime, Nested, OrNull } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { IsIn, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressOf } from '../http/addresses';
import { Public } from '../decorators/public.decorator';
import type { GatewayConfig } from '../config';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { CodeBody, Done, PasswordBody, SignInBody } from '../users/user.bodies';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { expiredCookie, sessionCookie, tokenOf } from './session-cookie';
import { halfSessionOver, type Origin, SessionsService } from './sessions.service';
import { type Role, ROLES } from '../request-context/roles';

const SIGN_IN_LIMIT_BYTES = 8_192;

@BodySchema({ name: 'SignedInUser' })
class ShownUser {
  @IsString() id: string;
  @IsString() email: string;
  @IsString() name: string;
  @IsIn(ROLES) role: Role;
}

@BodySchema({ name: 'SignedInAccount' })
class ShownAccount {
  @IsString() id: string;
  @IsString() name: string;
  @Doc("IANA time zone in which times are shown; null for that of the user's browser")
  @OrNull()
  @IsString()
  timeZone: string | null;
}

@BodySchema({ name: 'PresentSession' })
class PresentSession {
  @IsString() id: string;
  @IsTime() expiresAt: Date;
  @Doc('IP address of this request') @OrNull() @IsString() address: string | null;
}

@Answer({ name: 'Me' })
export class SignedInAnswer {
  @Nested(() => ShownUser) user: ShownUser;
  @Nested(() => ShownAccount) account: ShownAccount;
  @Nested(() => PresentSession) session: PresentSession;
  @Doc('Value for the header X-CSRF-Token of every request that changes something') @IsString() csrfToken: string;
}

class HalfSession {
  @Doc('Deadline for submitting a code to `completeSignIn`') @IsTime() expiresAt: Date;
}

@Answer()
class SecondFactorNeeded {
  @Nested(() => HalfSession) secondFactor: HalfSession;
}

@ApiTags('Session')
@Controller('console/v1')
export class ConsoleSessionController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly sessions: SessionsService,
  ) {}

  @Post('session')
  @HttpCode(200)
  @Public('who signs in has no session yet; guesses are counted per user and address', {
    isSignIn: true,
    bodyLimitBytes: SIGN_IN_LIMIT_BYTES,
  })
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'The response is the same for an unknown user, a disabled user and a wrong password. A user with a second factor receives a cookie that is valid only for `completeSignIn`, for five minutes.',
  })
  @ApiBodies({ json: SignInBody })
  @ApiAnswer([SignedInAnswer, SecondFactorNeeded])
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'SIGN_IN_FAILED', 'CSRF_TOKEN_INVALID', 'SIGN_IN_LOCKED')
  async signIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { email, password }: SignInBody,
  ): Promise<Success<SignedInAnswer | SecondFactorNeeded>> {
    const signIn = await this.sessions.signIn({ email, password, ...originOf(request, this.config) });
    if ('token' in signIn) return this.answerWith(signIn.token, request, reply);
    reply.header('set-cookie', sessionCookie(signIn.halfToken, this.config, 'half_session'));
    return { success: true, secondFactor: { expiresAt: signIn.expiresAt } };
  }

  @Post('session/second-factor')
  @HttpCode(200)
  @Public('who still has to show the second factor has half a session; guesses are counted per user and address', {
    isSignIn: true,
    bodyLimitBytes: SIGN_IN_LIMIT_BYTES,
  })
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'completeSignIn',
    summary: 'Complete sign-in with the second factor: a code of the authenticator app, or a recovery code',
    description: 'Requires the cookie of `signIn`. Each code can be used once.',
  })
  @ApiBodies({ json: CodeBody })
  @ApiAnswer(SignedInAnswer)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'SIGN_IN_FAILED', 'CSRF_TOKEN_INVALID', 'SIGN_IN_LOCKED')
  async completeSignIn(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { code }: CodeBody,
  ): Promise<Success<SignedInAnswer>> {
    const halfToken = tokenOf(request.headers.cookie, this.config, 'half_session');
    if (halfToken === undefined) throw halfSessionOver();
    const token = await this.sessions.completeSignIn(halfToken, { code, ...originOf(request, this.config) });
    const answer = await this.answerWith(token, request, reply);
    reply.header('set-cookie', expiredCookie(this.config, 'half_session'));
    return answer;
  }

  @Delete('session')
  @Roles('viewer', { evenSuspended: true })
  @ApiOperation({ operationId: 'signOut', summary: 'Sign out' })
  @ApiAnswer(Done)
  @ApiRefusals()
  async signOut(
    @SignedIn() user: ConsoleUser,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Success<Done>> {
    await this.sessions.signOut(user);
    reply.header('set-cookie', expiredCookie(this.config));
    return { success: true };
  }

  @Get('me')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getSignedIn',
    summary: 'Retrieve the signed-in user and the CSRF token of the session',
  })
  @ApiAnswer(SignedInAnswer)
  @ApiRefusals()
  show(@Req() request: FastifyRequest, @SignedIn() user: ConsoleUser): Success<SignedInAnswer> {
    return meOf(user, originOf(request, this.config));
  }

  @Put('me/password')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change your own password',
    description:
      'Ends all your sessions and starts a new one. Common passwords are rejected, as are passwords derived from your name, your e-mail address or the name of the service.',
  })
  @ApiBodies({ json: PasswordBody })
  @ApiAnswer(SignedInAnswer)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_VALUE', 'SIGN_IN_FAILED', 'SIGN_IN_LOCKED')
  async changePassword(
    @Req() request: FastifyRequest,
    @SignedIn() user: ConsoleUser,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { currentPassword, newPassword }: PasswordBody,
  ): Promise<Success<SignedInAnswer>> {
    const token = await this.sessions.changePassword(user, {
      current: currentPassword,
      next: newPassword,
      ...originOf(request, this.config),
    });
    return this.answerWith(token, request, reply);
  }

  private async answerWith(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Success<SignedInAnswer>> {
    reply.header('set-cookie', sessionCookie(token, this.config));
    return meOf(await this.sessions.requireUser(token), originOf(request, this.config));
  }
}

/** Returns the origin of a request, for the session list and for counting attempts. */
export function originOf(request: FastifyRequest, { TRUSTED_PROXY_HOPS }: GatewayConfig): Origin {
  return { address: addressOf(request, TRUSTED_PROXY_HOPS), userAgent: request.headers['user-agent'] };
}

/** Returns the description of the signed-in user. */
export function meOf(user: ConsoleUser, { address }: Origin): Success<SignedInAnswer> {
  const { userId, email, name, role, account, sessionId, expiresAt, csrfToken } = user;
  return {
    success: true,
    user: { id: userId, email, name, role },
    account,
    session: { id: sessionId, expiresAt, address: address ?? null },
    csrfToken,
  };
}
