import { AppError } from '@switchboard/contracts';

/** Returns the error for keys and users of a suspended account. The reason is visible to operators only. */
export function accountSuspended(): AppError {
  return new AppError('ACCOUNT_SUSPENDED');
}
