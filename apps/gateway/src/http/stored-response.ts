/** Thrown to end a request with the stored response of its Idempotency-Key; the error filter sends it. */
export class StoredResponse extends Error {
  override readonly name = 'StoredResponse';

  constructor(
    readonly status: number,
    /** Body as it was sent, byte for byte. */
    readonly body: string,
  ) {
    super('answered before');
  }
}
