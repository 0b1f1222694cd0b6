import type { ErrorCode } from '@switchboard/contracts';

/** Why a spreadsheet as a whole is refused. Crosses from the worker to the service as its two fields. */
export class SheetRefusal extends Error {
  override readonly name = 'SheetRefusal';

  constructor(
    message: string,
    readonly code: Extract<ErrorCode, 'FILE_INVALID' | 'BULK_LIMIT_EXCEEDED'> = 'FILE_INVALID',
  ) {
    super(message);
  }
}

/** The file is broken, or not what it says it is. @param reason goes on after `the file cannot be read: ` */
export function unreadable(reason: string): SheetRefusal {
  return new SheetRefusal(`the file cannot be read: ${reason}`);
}
