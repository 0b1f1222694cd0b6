import { Body, Controller, Get, Header, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Doc, Either, IsTime, Nested, OrNull } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { IsArray, IsBoolean, IsInt, IsString } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../http/addresses';
import type { GatewayConfig } from '../config';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';
import { CodeBody, Done, ProofBody, ProofWithCodeBody } from '../users/user.bodies';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { SecondFactorsService } from './second-factors.service';

class SecondFactorState {
  @IsBoolean() isEnabled: boolean;
  @OrNull() @IsTime() enabledAt: Date | null;
  @IsInt() recoveryCodesLeft: number;
}

@Answer()
class SecondFactorAnswer {
  @Nested(() => SecondFactorState) secondFactor: SecondFactorState;
}

@Answer()
class SecondFactorEnrolment {
  @Doc('Base32 secret to type into the authenticator app') @IsString() secret: string;
  @Doc('URL that the authenticator app reads', {
    example: 'otpauth://totp/Switchboard:asha%40example.com?issuer=Switchboard&secret=…',
  })
  @IsString()
  uri: string;
  @Doc('QR code of the URL: a `data:` URL with an SVG') @IsString() qrCode: string;
}

@Answer()
class RecoveryCodes {
  @Either({ type: 'string', example: '7k2m-x9qd-41tz' }) @IsArray() recoveryCodes: string[];
}

@ApiTags('Second factor')
@Controller('console/v1/me/second-factor')
export class ConsoleSecondFactorController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly factors: SecondFactorsService,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'getSecondFactor', summary: 'Retrieve whether your sign-in requires a second factor' })
  @ApiAnswer(SecondFactorAnswer)
  @ApiRefusals()
  async show(@SignedIn() user: ConsoleUser): Promise<Success<SecondFactorAnswer>> {
    const { confirmedAt, recoveryCodesLeft } = await this.factors.stateOf(user);
    return {
      success: true,
      secondFactor: { isEnabled: confirmedAt !== null, enabledAt: confirmedAt, recoveryCodesLeft },
    };
  }

  @Post()
  @HttpCode(200)
  @Roles('viewer')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'beginSecondFactor',
    summary: 'Create a secret for your authenticator app',
    description:
      'Scan the QR code or type the secret, then confirm with a code of the app. Sign-in does not require codes until then. Another call creates a new secret.',
  })
  @ApiBodies({ json: ProofBody })
  @ApiAnswer(SecondFactorEnrolment)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'INVALID_PARAMETER', 'SIGN_IN_FAILED', 'SIGN_IN_LOCKED')
  async begin(
    @Req() request: FastifyRequest,
    @SignedIn() user: ConsoleUser,
    @Body() { password }: ProofBody,
  ): Promise<Success<SecondFactorEnrolment>> {
    return { success: true, ...(await this.factors.begin(user, { password, address: this.addressOf(request) })) };
  }

  @Post('confirm')
  @HttpCode(200)
  @Roles('viewer')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'confirmSecondFactor',
    summary: 'Enable your second factor with a code of the app',
    description:
      'Ends all your other sessions. The recovery codes are shown only once; each replaces one code of the app.',
  })
  @ApiBodies({ json: CodeBody })
  @ApiAnswer(RecoveryCodes)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'SIGN_IN_FAILED')
  async confirm(@SignedIn() user: ConsoleUser, @Body() { code }: CodeBody): Promise<Success<RecoveryCodes>> {
    return { success: true, recoveryCodes: await this.factors.confirm(user, code) };
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @Roles('viewer')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Replace your recovery codes',
    description: 'Invalidates all earlier codes, used or not.',
  })
  @ApiBodies({ json: ProofWithCodeBody })
  @ApiAnswer(RecoveryCodes)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'SIGN_IN_FAILED', 'SIGN_IN_LOCKED')
  async renew(
    @Req() request: FastifyRequest,
    @SignedIn() user: ConsoleUser,
    @Body() { password, code }: ProofWithCodeBody,
  ): Promise<Success<RecoveryCodes>> {
    return {
      success: true,
      recoveryCodes: await this.factors.renewRecoveryCodes(user, { password, code, address: this.addressOf(request) }),
    };
  }

  @Post('disable')
  @HttpCode(200)
  @Roles('viewer')
  @ApiOperation({ operationId: 'disableSecondFactor', summary: 'Disable your second factor' })
  @ApiBodies({ json: ProofWithCodeBody })
  @ApiAnswer(Done)
  @ApiRefusals('MISSING_FIELD', 'TEXT_TOO_LONG', 'SIGN_IN_FAILED', 'SIGN_IN_LOCKED')
  async disable(
    @Req() request: FastifyRequest,
    @SignedIn() user: ConsoleUser,
    @Body() { password, code }: ProofWithCodeBody,
  ): Promise<Success<Done>> {
    await this.factors.disable(user, { password, code, address: this.addressOf(request) });
    return { success: true };
  }

  private addressOf(request: FastifyRequest): string | undefined {
    return addressOf(request, this.config.TRUSTED_PROXY_HOPS);
  }
}
