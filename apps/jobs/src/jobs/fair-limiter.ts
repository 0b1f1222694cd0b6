import type { AppError } from '@switchboard/contracts';

export interface FairLimiterOptions {
  /** Most places that are taken at a time. */
  total: number;
  /** Most of them that one account takes. */
  perAccount: number;
  /** When an account's own queue is full, and with what it is refused then; never when absent. */
  full?: { waiting: number; refusal(): AppError };
}

interface Account {
  taken: number;
  waiting: (() => void)[];
}

/**
 * Places for work that takes long: accounts take them in turn, so that who brings much waits for its own work, and not
 * others for it.
 */
export class FairLimiter {
  /** Those with work, in the order of their turns. */
  private readonly accounts = new Map<string, Account>();
  private taken = 0;

  constructor(private readonly options: FairLimiterOptions) {}

  /**
   * Waits for a place.
   * @returns gives the place back; doing so again changes nothing
   * @throws the refusal when the account's queue is full; the signal's reason when it is aborted before
   */
  async enter(accountId: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const account = this.accountOf(accountId);
    if (this.hasRoomFor(account)) return this.take(accountId, account);
    const { full } = this.options;
    if (full && account.waiting.length >= full.waiting) throw full.refusal();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        account.waiting = account.waiting.filter((each) => each !== begin);
        this.forgetIdle(accountId, account);
        reject(signal?.reason as Error);
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(this.take(accountId, account));
      };
      signal?.addEventListener('abort', leave, { once: true });
      account.waiting.push(begin);
    });
  }

  private accountOf(accountId: string): Account {
    const known = this.accounts.get(accountId);
    if (known) return known;
    const account = { taken: 0, waiting: [] };
    this.accounts.set(accountId, account);
    return account;
  }

  private hasRoomFor({ taken }: Account): boolean {
    return this.taken < this.options.total && taken < this.options.perAccount;
  }

  private take(accountId: string, account: Account): () => void {
    this.taken += 1;
    account.taken += 1;
    this.moveToEnd(accountId, account);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.taken -= 1;
      account.taken -= 1;
      // Also behind those who have come since it took the place.
      this.moveToEnd(accountId, account);
      this.forgetIdle(accountId, account);
      this.beginNext();
    };
  }

  private beginNext(): void {
    for (const account of this.accounts.values()) {
      if (account.waiting.length === 0 || !this.hasRoomFor(account)) continue;
      account.waiting.shift()?.();
      return;
    }
  }

  /** Its next turn comes after everybody else's. */
  private moveToEnd(accountId: string, account: Account): void {
    this.accounts.delete(accountId);
    this.accounts.set(accountId, account);
  }

  private forgetIdle(accountId: string, account: Account): void {
    if (account.taken === 0 && account.waiting.length === 0) this.accounts.delete(accountId);
  }
}
