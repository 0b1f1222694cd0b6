import {
  BodySchema,
  Doc,
  IsJobName,
  IsPlainName,
  IsStorableText,
  JOB_NAME_MAX,
  parseBody,
} from '@switchboard/contracts';
import { IsOptional, IsString, MaxLength } from 'class-validator';

class GivenName {
  @IsOptional() @IsJobName() name?: string;
}

/** Parses `name`. @throws AppError INVALID_PARAMETER, INVALID_VALUE, TEXT_TOO_LONG */
export function parseJobName(name: unknown): GivenName {
  if (name === undefined) return {};
  const given = parseBody(GivenName, { name });
  return given.name === undefined ? {} : { name: given.name.trim() };
}

/** Body of a call that renames a job. */
@BodySchema({ name: 'JobChange', example: () => ({ name: 'Order updates, Monday' }) })
export class JobChange {
  @Doc(`New name, at most ${JOB_NAME_MAX} characters. An empty text removes the name`)
  @IsString()
  @IsStorableText()
  @MaxLength(JOB_NAME_MAX)
  @IsPlainName()
  name: string;
}
