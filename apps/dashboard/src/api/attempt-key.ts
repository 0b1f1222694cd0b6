/**
 * The Idempotency-Key of what somebody asks for. A repeat after an unknown outcome goes under the same key, so that it
 * is not done twice; another request, one that succeeded, and one that was refused begin a new attempt.
 */
export class AttemptKey {
  private key = '';
  private asked = '';

  /** Sends the request under its key. */
  async of<Answer>(request: object, send: (key: string) => Promise<Answer>): Promise<Answer> {
    const asked = JSON.stringify(request);
    if (this.key === '' || asked !== this.asked) this.key = newKey();
    this.asked = asked;
    try {
      const answer = await send(this.key);
      this.key = '';
      return answer;
    } catch (error) {
      if (isRefusal(error)) this.key = '';
      throw error;
    }
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
