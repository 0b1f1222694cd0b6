import { CONSOLE_ONLY_CODES, ERROR_CATEGORIES, type ErrorCode, ERRORS } from '@switchboard/contracts';
import { flag, integer, list, object, oneOfTexts, orNull, type Schema, text } from './schema';

/** The body of an error whose code is one of these. */
export const errorSchema = (codes: readonly ErrorCode[]): Schema =>
  object(
    {
      success: { type: 'boolean', const: false },
      message: text('For people; may change'),
      code: oneOfTexts(codes, 'For programs; does not change'),
      details: {
        ...list(object({ field: text(), message: text() })),
        description: 'The refused fields; empty when it is none',
      },
      requestId: text('Quote it when asking for help'),
      id: text('In the 504 of a send: the message, for `GET /v1/messages/{id}`'),
    },
    { optional: ['id'] },
  );
const CODES = Object.keys(ERRORS) as ErrorCode[];

export const commonSchemas = {
  Pagination: object({
    page: integer,
    limit: integer,
    total: { ...integer, description: 'How many there are in all' },
    totalIsExact: {
      ...flag,
      description: 'False when there may be more than `total`: filtered lists are counted up to a limit',
    },
    totalPages: integer,
    hasNext: {
      ...flag,
      description:
        'Whether the list goes on. A page looks at 5,000 items at most, so that one with a filter may be short, or empty, and the list goes on all the same',
    },
    nextCursor: orNull(text('Gives the next page at the same cost at any depth; null at the end of the list')),
  }),
  Warning: object(
    {
      field: text('Names and positions, joined by dots', { example: 'recipients.0.fone' }),
      message: text(undefined, { example: 'recipients.0.fone is not a known field and was ignored' }),
    },
    {
      description: 'A field or a query parameter of the request that the API does not know. An answer names at most 10',
    },
  ),
  /** Why a message failed or a recipient was rejected (spec §5.3.1), in records, events and job recipients. */
  MessageError: object({
    reason: text(
      "A code of the API's errors that says why; `JOB_EXPIRED` for a recipient that its job did not reach in time",
      { example: 'WINDOW_CLOSED' },
    ),
    code: orNull({
      ...integer,
      description: "The upstream platform's number; null when it gave none, or the service itself refused",
    }),
    title: text(),
    message: text(),
    category: oneOfTexts(ERROR_CATEGORIES),
    retriable: flag,
  }),
  Error: errorSchema(CODES.filter((code) => !CONSOLE_ONLY_CODES.includes(code))),
} satisfies Record<string, Schema>;
