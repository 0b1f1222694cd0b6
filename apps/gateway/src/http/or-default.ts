import { AppError } from '@switchboard/contracts';

/**
 * Returns the given value, null to restore the default, or undefined for no change. Both parameters have one entry: a
 * field of the body and its value.
 * @throws AppError INVALID_PARAMETER when the value and the default are both requested
 */
export function orDefault<Value>(
  given: Record<string, Value | undefined>,
  isDefault: Record<string, boolean | undefined>,
): Value | null | undefined {
  const [[name, value] = ['', undefined]] = Object.entries(given);
  const [[flag, isSet] = ['', undefined]] = Object.entries(isDefault);
  if (isSet && value !== undefined)
    throw new AppError('INVALID_PARAMETER', { message: `${name} and ${flag} cannot both be given` });
  return isSet ? null : value;
}
