/** Thrown to complete a request with the stored response of its Idempotency-Key, which the error filter sends. */
export class StoredResponse extends Error {
  override readonly name = 'StoredResponse';

  constructor(
    readonly status: number,
    /** Response body, byte for byte as first sent. */
    readonly body: string,
  ) {
    super('answered before');
  }
}
