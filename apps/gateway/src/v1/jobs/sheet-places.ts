import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { GatewayConfig } from '../../config';

/** After so long one of an account's files has usually been read. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Spreadsheets that this gateway has at a time, from their first byte to their answer: so many files of an account lie
 * on the disk at most.
 */
@Injectable()
export class SheetPlaces {
  private readonly taken = new Map<string, number>();

  constructor(@Inject(CONFIG) private readonly config: GatewayConfig) {}

  /**
   * @returns gives the place back.
   * @throws AppError RATE_LIMITED when the account has too many: nothing of this one was read
   */
  enter(accountId: string): () => void {
    const most = this.config.SHEETS_PER_ACCOUNT;
    const taken = this.taken.get(accountId) ?? 0;
    if (taken >= most) {
      const message = `rate limit exceeded: ${most} spreadsheets of your account are being uploaded or read; send the next one when one of them was answered`;
      throw new AppError('RATE_LIMITED', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.taken.set(accountId, taken + 1);
    return () => this.leave(accountId);
  }

  private leave(accountId: string): void {
    const left = (this.taken.get(accountId) ?? 0) - 1;
    if (left > 0) this.taken.set(accountId, left);
    else this.taken.delete(accountId);
  }
}
