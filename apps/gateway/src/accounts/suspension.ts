import { AppError } from '@switchboard/contracts';

/**
 * Of a suspended account no key may use any route, nor anybody who is signed in. Why it is suspended is for operators
 * alone.
 */
export function accountSuspended(): AppError {
  return new AppError('ACCOUNT_SUSPENDED');
}
