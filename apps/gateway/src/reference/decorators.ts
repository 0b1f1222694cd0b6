import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { type ErrorCode, ERRORS } from '@switchboard/contracts';
import { COMMON_ERRORS } from './errors';
import type { SchemaName } from './schemas';

export function refTo(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

const RATE_HEADERS = {
  'X-RateLimit-Limit': { description: 'Requests per window', schema: { type: 'integer' as const } },
  'X-RateLimit-Remaining': { description: 'Requests left in this window', schema: { type: 'integer' as const } },
  'X-RateLimit-Reset': { description: 'When the window ends, in Unix seconds', schema: { type: 'integer' as const } },
};
const REQUEST_ID = { 'X-Request-Id': { description: 'Quote it when asking for help', schema: { type: 'string' as const } } };

/** The 200 answer of an operation. */
export function ApiAnswer(name: SchemaName): MethodDecorator {
  return ApiResponse({ status: 200, description: 'Success', schema: refTo(name), headers: { ...RATE_HEADERS, ...REQUEST_ID } });
}

/** The errors of an operation, together with those that every call can meet; one response per status. */
export function ApiRefusals(...codes: ErrorCode[]): MethodDecorator {
  const all = [...codes, ...COMMON_ERRORS];
  const statuses = [...new Set(all.map((code) => ERRORS[code].status as number))].sort((a, b) => a - b);
  return applyDecorators(
    ...statuses.map((status) => {
      const ofStatus = all.filter((code) => ERRORS[code].status === status);
      return ApiResponse({
        status,
        description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
        schema: { allOf: [refTo('Error'), { type: 'object', properties: { code: { type: 'string', enum: ofStatus } } }] },
        headers: { ...REQUEST_ID, ...(status === 429 && { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' as const } } }) },
      });
    }),
  );
}
