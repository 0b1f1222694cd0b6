import { BodySchema, type BodyClass, Doc, type ErrorCode, Failure, ListOf, Nested } from '@switchboard/contracts';
import { Equals, IsIn, IsInt, IsOptional, IsString, Min } from 'class-validator';

/** A rejected field. */
export class ErrorDetail {
  @IsString() field: string;
  @IsString() message: string;
}

/** Body of an error (spec §6.1). */
class ErrorBody {
  @Equals(false) success: false;
  @Doc('For people; may change') @IsString() message: string;
  code: ErrorCode;
  @Doc('The refused fields; empty when it is none') @ListOf(() => ErrorDetail) details: ErrorDetail[];
  @Doc('Quote it when asking for help') @IsString() requestId: string;
  @Doc(
    'Of a send whose outcome is unknown (504), or that the upstream platform refused: the message, for `GET /v1/messages/{id}`',
  )
  @IsOptional()
  @IsString()
  id?: string;
  @Doc('Of a send that the upstream platform refused: its code, and its explanation as `message`')
  @IsOptional()
  @Nested(() => Failure)
  error?: Failure;
}

/** Returns the class of an error body with one of these codes. */
export function errorBodyOf(codes: readonly ErrorCode[]): BodyClass {
  @BodySchema({ name: 'Error' })
  class OneOfTheseErrors extends ErrorBody {
    @Doc('For programs; does not change') @IsIn(codes) declare code: ErrorCode;
  }
  return OneOfTheseErrors;
}

/** The same error for wrong, expired, used and unknown codes (spec §9.2.3). */
export class OtpInvalid extends ErrorBody {
  @Equals('OTP_INVALID') declare code: 'OTP_INVALID';
  @Equals(false) verified: false;
  @IsInt() @Min(0) attemptsRemaining: number;
}

/** A part of the request that was ignored or may surprise (spec §1.1.8). */
@BodySchema({
  description:
    'A field or a query parameter of the request that the API does not know, or something in an uploaded spreadsheet that may surprise. A response has at most 10',
})
export class Warning {
  @Doc('Names and positions, joined by dots; for a spreadsheet the header of a column or `customerExcel`', {
    example: 'recipients.0.fone',
  })
  @IsString()
  field: string;
  @Doc(undefined, { example: 'recipients.0.fone is not a known field and was ignored' }) @IsString() message: string;
}
