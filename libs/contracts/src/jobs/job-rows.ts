import { ValidateBy } from 'class-validator';
import type { SendLabels } from '../messaging/messages.v1';

/** Maximum rows in one message between services. Longer lists are split into parts. */
export const JOB_ROWS_MAX = 1_000;
/** Maximum positions in a job: the ids of its messages encode the position in 24 bits. */
export const JOB_POSITIONS_MAX = 2 ** 24;

/**
 * Recipient as given by the caller. The jobs service validates phone, variables and components when it creates the job.
 */
export interface JobRow extends SendLabels {
  /** Index in the request, or row of the spreadsheet; unique. */
  position: number;
  /** Phone number or user id. */
  phone: string;
  /** Values of the template variables by name, or an ordered list of body variables. */
  variables?: unknown[] | Record<string, unknown>;
  /** Overrides the components of the job's template for this recipient. */
  components?: unknown[];
  /** Format error of the row. If present, the other fields are ignored. */
  fault?: JobRowFault;
}

/** Reason why a recipient was rejected. */
export interface JobRowFault {
  code: string;
  message: string;
}

/** Validates a list of `JobRow` in one plain loop, since there may be tens of thousands of rows. */
export function AreJobRows(): PropertyDecorator {
  return ValidateBy({
    name: 'areJobRows',
    validator: {
      validate: (value) => Array.isArray(value) && value.every(isJobRow),
      defaultMessage: () => 'rows must be a list of recipients',
    },
  });
}

/** Checks the format of a row except for its labels, which the jobs service checks itself (`faultOfLabels`). */
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
