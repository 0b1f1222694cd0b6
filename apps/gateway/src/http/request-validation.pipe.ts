import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type BodyClass, parseBody, propertiesOf } from '@switchboard/contracts';
import { UnreadForm } from './form-parser';

const VALIDATED = ['body', 'query'];

/**
 * Global pipe that validates every `@Body()` and `@Query()` whose type is a class with class-validator decorators, and
 * passes an instance of that class to the handler. Replaces Nest's `ValidationPipe`, which is several times slower on
 * large bodies and has other error messages. Parameters of other types (`unknown`, `Record`) are passed as parsed.
 * Forms are passed unread, for their handlers to read.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  /** @throws AppError as `parseBody` */
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (!VALIDATED.includes(type) || value instanceof UnreadForm) return value;
    return isValidated(metatype) ? parseBody(metatype, value) : value;
  }
}

function isValidated(metatype: ArgumentMetadata['metatype']): metatype is BodyClass {
  return metatype !== undefined && propertiesOf(metatype as BodyClass).length > 0;
}
