import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, VerifyOtpRequest } from '@switchboard/contracts';
import { OtpClient } from '@switchboard/service-clients';
import { Equals } from 'class-validator';
import { type ApiClient, Client } from '../request-context/client';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';

/**
 * Number of characters of the input that are sent to the otp service: one more than the longest code, since longer
 * input cannot match.
 */
const LONGER_THAN_ANY_CODE = 11;

@Answer({ example: () => ({ success: true, verified: true }) })
class VerifyOtpResponse {
  @Equals(true) verified: boolean;
}

@ApiTags('One-time passwords')
@ApiBearerAuth()
@Controller('v1/otp')
export class OtpController {
  constructor(private readonly otp: OtpClient) {}

  @Post('verify')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'verifyOtp',
    summary: 'Verify a one-time password',
    description: 'Wrong, expired, used and nonexistent codes return the same response.',
  })
  @ApiBodies({ json: VerifyOtpRequest })
  @ApiAnswer(VerifyOtpResponse)
  @ApiRefusals('MISSING_FIELD', 'OTP_INVALID', 'INVALID_PHONE', 'OTP_MAX_ATTEMPTS')
  async verify(
    @Client() client: ApiClient,
    @NewId() newId: NewIdFunction,
    @Body() { phone, otp }: VerifyOtpRequest,
  ): Promise<Success<VerifyOtpResponse>> {
    const attempt = { otp: otp.slice(0, LONGER_THAN_ANY_CODE), attemptId: newId('otp') };
    const { verified } = await this.otp.verifyCode({
      accountId: client.account.id,
      clientId: client.clientId,
      phone,
      ...attempt,
    });
    return { success: true, verified };
  }
}
