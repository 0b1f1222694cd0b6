import { createHash, timingSafeEqual } from 'node:crypto';
import { Body, Controller, Get, Header, Headers, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { isCallbackSignature, verifyCallback } from '@switchboard/upstream';
import type { FastifyRequest } from 'fastify';
import { Public } from '../decorators/public.decorator';
import type { GatewayConfig } from '../config';
import { CallbacksService } from './callbacks.service';

/** Upstream limit for a batch of changes, in bytes. */
export const CALLBACK_LIMIT_BYTES = 3 * 1_048_576;
const MAX_CHALLENGE_CHARACTERS = 1024;

const CALLBACK_BODY = {
  rawBody: true,
  bodyLimitBytes: CALLBACK_LIMIT_BYTES,
  requireHead: ({ headers }: FastifyRequest): void => {
    if (!isCallbackSignature(headers['x-hub-signature-256'])) throw unsigned();
  },
};

/** Receives the upstream platform's callbacks about messages, statuses, numbers and templates. */
@ApiExcludeController()
@Controller('callbacks/upstream')
export class CallbacksController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly callbacks: CallbacksService,
  ) {}

  @Get()
  @Public('the upstream platform shows the verify token instead of a key')
  @Header('content-type', 'text/plain; charset=utf-8')
  verify(@Query() query: Record<string, unknown>): string {
    const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query;
    const isVerified =
      mode === 'subscribe' && typeof token === 'string' && sameText(token, this.config.UPSTREAM_VERIFY_TOKEN);
    if (!isVerified) throw new AppError('UNAUTHORIZED', { message: 'the verify token does not match' });
    if (typeof challenge !== 'string' || challenge.length > MAX_CHALLENGE_CHARACTERS) {
      throw new AppError('INVALID_PARAMETER', { message: 'hub.challenge is required' });
    }
    return challenge;
  }

  @Post()
  @HttpCode(200)
  @Public('the upstream platform signs each body with the app secret', CALLBACK_BODY)
  async accept(
    @Headers('x-hub-signature-256') signature: string | undefined,
    @Body() rawBody: unknown,
  ): Promise<{ success: true }> {
    if (!Buffer.isBuffer(rawBody) || !verifyCallback(rawBody, signature, this.config.UPSTREAM_APP_SECRET)) {
      throw unsigned();
    }
    await this.callbacks.acceptCallback(rawBody);
    return { success: true };
  }
}

function unsigned(): AppError {
  return new AppError('UNAUTHORIZED', { message: 'missing or invalid signature' });
}

/** Compares in constant time. Hashing also hides the lengths. */
function sameText(given: string, wanted: string): boolean {
  const [left, right] = [given, wanted].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(left, right);
}
