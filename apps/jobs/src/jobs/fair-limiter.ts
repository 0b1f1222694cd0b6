import type { AppError } from '@switchboard/contracts';

export interface FairLimiterOptions {
  /** Maximum number of slots in use. */
  total: number;
  /** Maximum number of slots in use per account. */
  perAccount: number;
  /** Queue limit per account, and the error when it is exceeded. Without it, queues are unlimited. */
  full?: { waiting: number; refusal(): AppError };
}

interface Account {
  taken: number;
  waiting: (() => void)[];
}

/**
 * Limits long-running work to a number of slots. Accounts alternate, so that a large backlog delays only its own
 * account.
 */
export class FairLimiter {
  /** Accounts with work. The map's order is the round-robin order. */
  private readonly accounts = new Map<string, Account>();
  private taken = 0;

  constructor(private readonly options: FairLimiterOptions) {}

  /**
   * Waits for a slot.
   * @returns an idempotent function that releases the slot
   * @throws the configured error when the account's queue is full; the signal's reason when it is aborted first
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
      // Move the account behind all others, including those that arrived meanwhile.
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

  private moveToEnd(accountId: string, account: Account): void {
    this.accounts.delete(accountId);
    this.accounts.set(accountId, account);
  }

  private forgetIdle(accountId: string, account: Account): void {
    if (account.taken === 0 && account.waiting.length === 0) this.accounts.delete(accountId);
  }
}
