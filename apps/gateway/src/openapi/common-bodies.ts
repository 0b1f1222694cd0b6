import { BodySchema, type BodyClass, Doc, type ErrorCode, Failure, ListOf, Nested } from '@switchboard/contracts';
import { Equals, IsIn, IsInt, IsOptional, IsString, Min } from 'class-validator';

export class ErrorDetail {
  @IsString() field: string;
  @IsString() message: string;
}

/** Body of an error (spec §6.1). */
class ErrorBody {
  @Equals(false) success: false;
  @Doc('Human-readable message; may change') @IsString() message: string;
  code: ErrorCode;
  @Doc('Invalid fields; empty if the error does not concern a field') @ListOf(() => ErrorDetail) details: ErrorDetail[];
  @Doc('ID of the request; include it in support requests') @IsString() requestId: string;
  @Doc(
    'ID of the message for `GET /v1/messages/{id}`. Present if the outcome of the send is unknown (504) or the upstream platform rejected the send',
  )
  @IsOptional()
  @IsString()
  id?: string;
  @Doc(
    'Error code of the upstream platform, with its explanation as `message`. Present if the platform rejected a send',
  )
  @IsOptional()
  @Nested(() => Failure)
  error?: Failure;
}

/** Returns an error body class with the given codes. */
export function errorBodyOf(codes: readonly ErrorCode[]): BodyClass {
  @BodySchema({ name: 'Error' })
  class OneOfTheseErrors extends ErrorBody {
    @Doc('Machine-readable code; stable') @IsIn(codes) declare code: ErrorCode;
  }
  return OneOfTheseErrors;
}

/** Error for wrong, expired, used and unknown codes alike (spec §9.2.3). */
export class OtpInvalid extends ErrorBody {
  @Equals('OTP_INVALID') declare code: 'OTP_INVALID';
  @Equals(false) verified: false;
  @IsInt() @Min(0) attemptsRemaining: number;
}

/** Part of a request that was ignored or may be misunderstood (spec §1.1.8). */
@BodySchema({
  description:
    'Unknown field or query parameter of the request, or unexpected content in an uploaded spreadsheet. At most 10 per response',
})
export class Warning {
  @Doc(
    'Path of field names and list positions, joined by dots. For a spreadsheet: the column header, or `customerExcel` for the whole file',
    {
      example: 'recipients.0.fone',
    },
  )
  @IsString()
  field: string;
  @Doc(undefined, { example: 'recipients.0.fone is not a known field and was ignored' }) @IsString() message: string;
}
