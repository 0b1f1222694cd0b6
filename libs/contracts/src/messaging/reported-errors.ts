import { IsInt, IsString } from 'class-validator';
import { BodySchema, Doc, OrNull } from '../body-docs';

@BodySchema({
  description: 'Reason why the upstream platform could not deliver the full message',
  example: () => ({
    code: 131051,
    title: 'Message type unknown',
    details: 'Message type is currently not supported.',
  }),
})
export class ReportedError {
  @Doc(
    'Error code of the upstream platform, such as 131051 for an unsupported message type or 131052 for a file that the platform could not process',
  )
  @OrNull()
  @IsInt()
  code: number | null;
  @Doc('Error message from the upstream platform; empty if the platform reported none') @IsString() title: string;
  @OrNull() @IsString() details: string | null;
}

/** Maximum errors per message, more than the platform ever reports. */
const MOST = 10;

/**
 * Converts the upstream errors of an inbound message to the public format.
 * @returns undefined if there are none
 */
export function reportedErrors(errors: readonly object[] | null | undefined): ReportedError[] | undefined {
  if (!errors || errors.length === 0) return undefined;
  return errors.slice(0, MOST).map((error) => {
    const { code, title, message, details, error_data: data } = error as Record<string, unknown>;
    // Earlier versions of the platform place the details beside the title.
    const inner = typeof data === 'object' && data !== null && 'details' in data ? data.details : undefined;
    return {
      code: Number.isSafeInteger(code) ? (code as number) : null,
      title: textOf(title) ?? textOf(message) ?? '',
      details: textOf(inner) ?? textOf(details) ?? null,
    };
  });
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
