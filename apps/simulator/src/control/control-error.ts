import { isObject, type JsonObject } from '../json';

export class ControlError extends Error {
  constructor(
    message: string,
    readonly statusCode = 400,
  ) {
    super(message);
  }
}

/** Returns the body of a control call, or `{}` for an empty one. @throws ControlError */
export function objectOf(body: unknown): JsonObject {
  if (body === undefined || body === null) return {};
  if (!isObject(body)) throw new ControlError('the body must be a JSON object');
  return body;
}

/** Validates an enum value. @throws ControlError listing the allowed values */
export function oneOf<T extends string>(field: string, values: readonly T[], given: unknown): T {
  const known = values.find((value) => value === given);
  if (known === undefined) throw new ControlError(`${field}: one of ${values.join(', ')} is required`);
  return known;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
