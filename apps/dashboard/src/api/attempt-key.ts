/** A request whose outcome is unknown, and its key. */
export interface Attempted {
  key: string;
  asked: string;
}

/**
 * Idempotency-Key of a user action. A retry after an unknown outcome reuses the key, so the action is not performed
 * twice. A different request, a success, or a rejection starts a new attempt.
 */
export class AttemptKey {
  private key: string;
  private asked: string;

  /** @param store persists the attempt when it must outlive the page */
  constructor(
    { key, asked }: Attempted = { key: '', asked: '' },
    private readonly store: (attempted: Attempted) => void = () => undefined,
  ) {
    this.key = key;
    this.asked = asked;
  }

  async of<Answer>(request: object, send: (key: string) => Promise<Answer>): Promise<Answer> {
    const asked = JSON.stringify(request);
    this.keep({ key: this.key === '' || asked !== this.asked ? newKey() : this.key, asked });
    try {
      const answer = await send(this.key);
      this.keep({ key: '', asked });
      return answer;
    } catch (error) {
      if (isRefusal(error)) this.keep({ key: '', asked });
      throw error;
    }
  }

  private keep(attempted: Attempted): void {
    this.key = attempted.key;
    this.asked = attempted.asked;
    this.store(attempted);
  }
}

/** Generates a key without `randomUUID`, which browsers offer only over HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns whether the error proves that nothing was done. A conflict does not: the same request may still be running.
 */
function isRefusal(error: unknown): boolean {
  const status = (error as { more?: { status?: number } }).more?.status ?? 0;
  return status >= 400 && status < 500 && status !== 409 && status !== 408;
}
