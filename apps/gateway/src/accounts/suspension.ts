import { AppError } from '@switchboard/contracts';

/** Returns the error for keys and users of a suspended account. Omits the reason, which only operators may see. */
export function accountSuspended(): AppError {
  return new AppError('ACCOUNT_SUSPENDED');
}
