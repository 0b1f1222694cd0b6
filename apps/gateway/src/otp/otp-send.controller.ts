import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answer, Doc, IsTime, PHONE_SCHEMA, sendCodeV1, SendOtpRequest } from '@switchboard/contracts';
import { OtpClient } from '@switchboard/service-clients';
import { Equals, IsInt, IsString } from 'class-validator';
import { type ApiClient, Client } from '../request-context/client';
import { RequireFeature } from '../decorators/require-feature.decorator';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { NewId } from '../idempotency/new-id';
import { ApiAnswer, ApiBodies, ApiRefusals, type Success } from '../openapi/decorators';

const { response: SENT } = sendCodeV1.sample;

@Answer({
  example: () => ({
    success: true,
    message_id: SENT.upstreamId,
    status: 'accepted',
    to: '919812345678',
    expiresAt: SENT.expiresAt,
    creditsRemaining: SENT.creditsRemaining,
    id: SENT.id,
  }),
})
class SendOtpResponse {
  @Doc('ID assigned by the upstream platform; `messageId` in events') @IsString() message_id: string;
  @Equals('accepted') status: 'accepted';
  @Doc(undefined, PHONE_SCHEMA) @IsString() to: string;
  @IsTime() expiresAt: string;
  @Doc('Remaining utility credits') @IsInt() creditsRemaining: number;
  @Doc("The service's ID of the message") @IsString() id: string;
}

@ApiTags('One-time passwords')
@ApiBearerAuth()
@Controller('v1/messages/send/authentication')
export class OtpSendController {
  constructor(private readonly otp: OtpClient) {}

  @Post('utility')
  @HttpCode(200)
  @RequireFeature('THIRD_PARTY_API')
  @ApiOperation({
    operationId: 'sendOtp',
    summary: 'Send a one-time password',
    description:
      "Each code costs one utility credit. A rejected request costs nothing. The service sends the code with the account's OTP template. An accepted code replaces the earlier code for the same phone number.",
  })
  @ApiBodies({ json: SendOtpRequest })
  @ApiAnswer(SendOtpResponse)
  @ApiRefusals(
    'MISSING_FIELD',
    'INVALID_PHONE',
    'INVALID_VALUE',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_APPROVED',
    'TEMPLATE_PARAMS_MISMATCH',
    'FEATURE_NOT_IN_PLAN',
    'INSUFFICIENT_CREDITS',
    'RECIPIENT_OPTED_OUT',
    'RECIPIENT_BLOCKED',
    'SPEND_CAP_REACHED',
    'RATE_UNKNOWN',
    'OTP_TOO_MANY_SENDS',
    'OTP_MAX_ATTEMPTS',
    'NUMBER_STOPPED',
    'UPSTREAM_THROTTLED',
    'UPSTREAM_ERROR',
    'UPSTREAM_TIMEOUT',
  )
  async send(
    @Client() { keyId: senderId, account }: ApiClient,
    @NewId() newId: NewIdFunction,
    @Body() request: SendOtpRequest,
  ): Promise<Success<SendOtpResponse>> {
    const command = { ...request, accountId: account.id, messageId: newId('msg'), senderId };
    // A timeout does not mean that nothing was sent; the otp service determines the outcome later.
    const { id, upstreamId, expiresAt, creditsRemaining } = await this.otp.sendCode(command);
    return {
      success: true,
      message_id: upstreamId,
      status: 'accepted',
      to: request.to,
      expiresAt,
      creditsRemaining,
      id,
    };
  }
}
