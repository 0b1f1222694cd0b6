import { ValidateBy } from 'class-validator';
import type { SendLabels } from '../messaging/messages.v1';

/** Maximum rows of one message between services; longer lists are split into parts. */
export const JOB_ROWS_MAX = 1_000;
/** A message id stores the position in 24 bits. */
export const JOB_POSITIONS_MAX = 2 ** 24;

/** Recipient as given by the caller; phone, variables and components are checked where the job is created. */
export interface JobRow extends SendLabels {
  /** Index in the request, or row of the spreadsheet; unique. */
  position: number;
  /** Phone number or user id. */
  phone: string;
  /** Values of the template variables by name, or of the body variables in order. */
  variables?: unknown[] | Record<string, unknown>;
  /** Replaces the components of the job's template. */
  components?: unknown[];
  /** Format error of the row; if present, the other fields are ignored. */
  fault?: JobRowFault;
}

/** Reason for rejecting a recipient. */
export interface JobRowFault {
  /** Error code of the API. */
  code: string;
  message: string;
}

/** Validates a list of `JobRow` in one plain loop, as there may be tens of thousands. */
export function AreJobRows(): PropertyDecorator {
  return ValidateBy({
    name: 'areJobRows',
    validator: {
      validate: (value) => Array.isArray(value) && value.every(isJobRow),
      defaultMessage: () => 'rows must be a list of recipients',
    },
  });
}

/** Checks the form of a row, without its labels: the jobs service checks these with the row (`faultOfLabels`). */
function isJobRow(value: unknown): value is JobRow {
  if (typeof value !== 'object' || value === null) return false;
  const { position, phone, variables, components, fault } = value as Record<string, unknown>;
  const isPlaced = Number.isInteger(position) && (position as number) >= 0 && (position as number) < JOB_POSITIONS_MAX;
  const isFilled =
    (variables === undefined || typeof variables === 'object') &&
    (components === undefined || Array.isArray(components));
  return isPlaced && typeof phone === 'string' && isFilled && (fault === undefined || isFault(fault));
}

function isFault(value: unknown): value is JobRowFault {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message } = value as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string';
}
