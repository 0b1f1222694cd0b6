import { BadRequestException, ForbiddenException, HttpException, NotFoundException } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { toAppError } from './framework-errors';

const fastifyError = (code: string, statusCode: number): Error =>
  Object.assign(new Error('internal detail'), { code, statusCode });

describe('framework errors', () => {
  it.each([
    [fastifyError('FST_ERR_CTP_BODY_TOO_LARGE', 413), 'PAYLOAD_TOO_LARGE'],
    [fastifyError('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415), 'UNSUPPORTED_MEDIA_TYPE'],
    [fastifyError('FST_ERR_CTP_INVALID_JSON_BODY', 400), 'INVALID_JSON'],
    [fastifyError('FST_ERR_SOMETHING_NEW', 400), 'INVALID_PARAMETER'],
    [fastifyError('FST_ERR_SOMETHING_NEW', 500), 'INTERNAL'],
    [new HttpException('x', 413, { cause: fastifyError('FST_ERR_CTP_BODY_TOO_LARGE', 413) }), 'PAYLOAD_TOO_LARGE'],
    [new NotFoundException('Cannot GET /x'), 'NOT_FOUND'],
    [new BadRequestException('internal detail'), 'INVALID_PARAMETER'],
    [new ForbiddenException('internal detail'), 'ROUTE_NOT_ALLOWED'],
    [Object.assign(new Error('internal detail'), { code: 'ECONNREFUSED' }), 'UNAVAILABLE'],
    [new TypeError('internal detail'), 'INTERNAL'],
    ['internal detail', 'INTERNAL'],
    [undefined, 'INTERNAL'],
  ])('maps %p to %s without exposing its message', (error, code) => {
    const mapped = toAppError(error);
    expect(mapped.code).toBe(code);
    expect(JSON.stringify(mapped.toBody())).not.toContain('internal detail');
  });

  it('keeps application errors unchanged', () => {
    const error = new AppError('WINDOW_CLOSED');
    expect(toAppError(error)).toBe(error);
  });
});
