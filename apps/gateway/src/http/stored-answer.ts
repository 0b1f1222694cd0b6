/** Thrown to end a request with the answer its Idempotency-Key was given before; the error filter writes it. */
export class StoredAnswer extends Error {
  override readonly name = 'StoredAnswer';

  constructor(
    readonly status: number,
    /** The body as it was sent, byte for byte. */
    readonly body: string,
  ) {
    super('answered before');
  }
}
