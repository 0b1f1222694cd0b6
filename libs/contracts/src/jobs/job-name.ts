import { IsString, MaxLength, MinLength, type ValidationOptions } from 'class-validator';
import { IsNotBlank, IsPlainName, IsStorableText } from '../validation';

/** Maximum characters of a job's name. */
export const JOB_NAME_MAX = 100;

/** API description of `name` in a request for a job. */
export const JOB_NAME_DOC = `Name of the job, which lists and events show. At most ${JOB_NAME_MAX} characters; need not be unique`;

/** Validates the name of a job: text of 1 to `JOB_NAME_MAX` characters, not blank, without control characters. */
export function IsJobName(options?: ValidationOptions): PropertyDecorator {
  const rules = [MaxLength(JOB_NAME_MAX, options), MinLength(1, options), IsNotBlank(options), IsPlainName(options)];
  return (prototype, name) => {
    for (const decorate of [...rules, IsStorableText(options), IsString(options)]) decorate(prototype, name);
  };
}
