import { Inject, Injectable } from '@nestjs/common';
import { AppError, type PrepareNumberCommand, type PrepareNumberReply, prepareNumberV1 } from '@switchboard/contracts';
import { inTransit, LOGGER, type Logger, SecretBox } from '@switchboard/platform';
import { type UpstreamClient, UpstreamError } from '@switchboard/upstream';
import { UPSTREAM } from '../../upstream/upstream.tokens';
import { upstreamFailure } from '../upstream-failure';

const PIN = /^[0-9]{6}$/;
/** Remedies for a rejected registration, by error code of the platform. */
const REMEDIES: Record<number, string> = {
  133000: 'An earlier deregistration was not finished: deregister the number once more, then repeat.',
  133004: 'Wait some minutes, then repeat.',
  133005: 'Give the PIN that the number has, or set another in WhatsApp Manager (two-step verification).',
  133006: 'Verify the number anew in WhatsApp Manager (SMS or call), then repeat.',
  133008: 'Set another PIN in WhatsApp Manager, or wait for twelve hours.',
  133009: 'Wait some minutes before you give another PIN.',
  133015: 'The number was deregistered a moment ago: wait five minutes, then repeat.',
  133016: 'A number takes ten registrations in three days: wait until three days have passed.',
};

/** Runs the setup steps of a number at the platform. Each step may be repeated. */
@Injectable()
export class NumberSetup {
  constructor(
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    private readonly box: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @throws AppError UPSTREAM_ERROR with the platform's reason, UPSTREAM_TIMEOUT when the outcome is unknown,
   * INVALID_VALUE for an invalid PIN
   */
  async prepare(command: PrepareNumberCommand): Promise<PrepareNumberReply> {
    const { accountId, step, wabaId, phoneNumberId } = command;
    const accessToken = this.open(command, 'sealedAccessToken');
    const call = { wabaId, phoneNumberId, accessToken };
    try {
      if (step === 'subscribe') await this.upstream.subscribeApp(call);
      else if (step === 'register') await this.upstream.registerNumber({ ...call, pin: this.pinOf(command) });
      else await this.upstream.setProfile({ ...call, profile: command.profile ?? {} });
    } catch (error) {
      throw withRemedy(upstreamFailure(error), step, error);
    }
    this.logger.info({ accountId, wabaId, phoneNumberId, step }, 'number.prepared');
    return { step };
  }

  private pinOf(command: PrepareNumberCommand): string {
    if (command.sealedPin === undefined) throw new AppError('MISSING_FIELD', { message: 'sealedPin is required' });
    const pin = this.open(command, 'sealedPin');
    if (!PIN.test(pin)) throw new AppError('INVALID_VALUE', { message: 'a PIN has six digits' });
    return pin;
  }

  private open(command: PrepareNumberCommand, name: 'sealedAccessToken' | 'sealedPin'): string {
    return this.box.open(command[name] ?? '', inTransit(prepareNumberV1, name, command.accountId));
  }
}

function withRemedy(failure: unknown, step: string, cause: unknown): unknown {
  const remedy = cause instanceof UpstreamError && cause.code !== undefined ? REMEDIES[cause.code] : undefined;
  if (!(failure instanceof AppError) || remedy === undefined) return failure;
  const { code, message, retryAfterSeconds } = failure;
  return new AppError(code, { message, retryAfterSeconds, details: [{ field: step, message: remedy }], cause });
}
