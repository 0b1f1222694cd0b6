import { ValidateBy } from 'class-validator';
import type { SendLabels } from '../messaging/messages.v1';

/** Rows that one message between services holds at most; longer lists travel in parts. */
export const JOB_ROWS_MAX = 1_000;
/** Positions are kept in 24 bits of a message's id. */
export const JOB_POSITIONS_MAX = 2 ** 24;

/** A recipient as it was given; whether phone, variables and components are right is judged where the job is made. */
export interface JobRow extends SendLabels {
  /** Index in the request, or the sheet's row; each one once. */
  position: number;
  phone: string;
  /** Fill the template's variables by their names, or those of the body alone in their order. */
  variables?: unknown[] | Record<string, unknown>;
  /** Instead of the components of the job's template. */
  components?: unknown[];
  /** What is malformed about it: then the rest is not looked at. */
  fault?: JobRowFault;
}

/** Why a recipient is refused. */
export interface JobRowFault {
  /** One of the API's error codes. */
  code: string;
  message: string;
}

/** A list of `JobRow`. Checked in one plain loop: there may be tens of thousands of them. */
export function AreJobRows(): PropertyDecorator {
  return ValidateBy({
    name: 'areJobRows',
    validator: {
      validate: (value) => Array.isArray(value) && value.every(isJobRow),
      defaultMessage: () => 'rows must be a list of recipients',
    },
  });
}

function isJobRow(value: unknown): value is JobRow {
  if (typeof value !== 'object' || value === null) return false;
  const { position, phone, variables, components, clientRef, fault } = value as Record<string, unknown>;
  const isPlaced = Number.isInteger(position) && (position as number) >= 0 && (position as number) < JOB_POSITIONS_MAX;
  const isFilled =
    (variables === undefined || typeof variables === 'object') &&
    (components === undefined || Array.isArray(components));
  return (
    isPlaced &&
    typeof phone === 'string' &&
    isFilled &&
    (clientRef === undefined || typeof clientRef === 'string') &&
    (fault === undefined || isFault(fault))
  );
}

function isFault(value: unknown): value is JobRowFault {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string';
}
