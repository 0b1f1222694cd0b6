/** The key of a request without a known outcome, and the request. */
export interface Attempted {
  key: string;
  asked: string;
}

/**
 * The Idempotency-Key of what somebody asks for. A repeat after an unknown outcome goes under the same key, so that it
 * is not done twice; another request, one that succeeded, and one that was refused begin a new attempt.
 */
export class AttemptKey {
  private key: string;
  private asked: string;

  /** @param store keeps the attempt where it outlives the page */
  constructor(
    { key, asked }: Attempted = { key: '', asked: '' },
    private readonly store: (attempted: Attempted) => void = () => undefined,
  ) {
    this.key = key;
    this.asked = asked;
  }

  /** Sends the request under its key. */
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

/** Not `randomUUID`, which browsers have on https alone. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A refusal says that nothing was done; a conflict may mean that the same is still on its way. */
function isRefusal(error: unknown): boolean {
  const status = (error as { more?: { status?: number } }).more?.status ?? 0;
  return status >= 400 && status < 500 && status !== 409 && status !== 408;
}
