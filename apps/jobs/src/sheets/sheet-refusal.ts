import type { ErrorCode } from '@switchboard/contracts';

/** Reason for rejecting a spreadsheet as a whole. The worker passes its two fields to the service. */
export class SheetRefusal extends Error {
  override readonly name = 'SheetRefusal';

  constructor(
    message: string,
    readonly code: Extract<ErrorCode, 'FILE_INVALID' | 'BULK_LIMIT_EXCEEDED'> = 'FILE_INVALID',
  ) {
    super(message);
  }
}

/**
 * The file is damaged, or not of the declared type.
 * @param reason text after `the file cannot be read: `
 */
export function unreadable(reason: string): SheetRefusal {
  return new SheetRefusal(`the file cannot be read: ${reason}`);
}
