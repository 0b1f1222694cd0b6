import { AppError, type ErrorCode, isPhone, type ListMessagesCommand } from '@switchboard/contracts';

type Query = Record<string, unknown>;

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const MAX_CURSOR_CHARACTERS = 512;
const DIRECTIONS = ['inbound', 'outbound'] as const;
const STATUSES = ['accepted', 'sent', 'delivered', 'read', 'failed', 'received'] as const;
/** The types of decisions 9 and those that can be sent; an open set, since the upstream platform adds some. */
const TYPE = /^[a-z_]{1,40}$/;

/**
 * Reads the query of `GET /v1/messages` (decisions 6). A limit above 100 becomes 100; unknown parameters are ignored.
 * @throws AppError INVALID_PARAMETER (400), INVALID_PHONE or INVALID_VALUE (422)
 */
export function parseMessageList(query: Query): Omit<ListMessagesCommand, 'accountId'> {
  return {
    page: positiveInteger(query, 'page', 1),
    limit: Math.min(positiveInteger(query, 'limit', DEFAULT_LIMIT), MAX_LIMIT),
    cursor: cursorOf(query),
    direction: oneOf(query, 'direction', DIRECTIONS),
    status: oneOf(query, 'status', STATUSES),
    type: matching(query, 'type', TYPE),
    phone: phoneOf(query),
  };
}

/** A parameter that was given once, or undefined. */
export function single(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw refusal('INVALID_PARAMETER', name, `${name} must be given once`);
}

export function refusal(code: ErrorCode, field: string, message: string): AppError {
  return new AppError(code, { message, details: [{ field, message }] });
}

function positiveInteger(query: Query, name: string, fallback: number): number {
  const text = single(query, name);
  if (text === undefined) return fallback;
  if (!/^[0-9]+$/.test(text) || /^0+$/.test(text)) throw refusal('INVALID_PARAMETER', name, `${name} must be a positive integer`);
  if (!Number.isSafeInteger(Number(text))) throw refusal('INVALID_VALUE', name, `${name} is out of range`);
  return Number(text);
}

function oneOf<T extends string>(query: Query, name: string, values: readonly T[]): T | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  const found = values.find((value) => value === text);
  if (found === undefined) throw refusal('INVALID_PARAMETER', name, `${name} must be one of ${values.join(', ')}`);
  return found;
}

function matching(query: Query, name: string, pattern: RegExp): string | undefined {
  const text = single(query, name);
  if (text === undefined || pattern.test(text)) return text;
  throw refusal('INVALID_PARAMETER', name, `${name} is not a message type`);
}

function phoneOf(query: Query): string | undefined {
  const phone = single(query, 'phone');
  if (phone === undefined || isPhone(phone)) return phone;
  throw refusal('INVALID_PHONE', 'phone', 'phone number format is invalid');
}

/** What a cursor holds is the answering service's own affair. */
function cursorOf(query: Query): string | undefined {
  const cursor = single(query, 'cursor');
  if (cursor === undefined || /^[\w-]+$/.test(cursor) && cursor.length <= MAX_CURSOR_CHARACTERS) return cursor;
  throw refusal('INVALID_PARAMETER', 'cursor', 'cursor is not one that the API gave');
}
