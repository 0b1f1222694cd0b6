import { ERRORS } from '@switchboard/contracts';
import type { Answer } from './http';

/** Expects an error in the documented format (spec §6.1), without internal details. */
export function expectOurShape({ status, headers, body }: Answer): void {
  expect(body).toMatchObject({
    success: false,
    message: expect.any(String),
    code: expect.any(String),
    details: expect.any(Array),
    requestId: expect.any(String),
  });
  expect(
    Object.keys(body).filter((name) => !['success', 'message', 'code', 'requestId', 'details'].includes(name)),
  ).toEqual([]);
  expect(ERRORS[body.code as keyof typeof ERRORS].status).toBe(status);
  expect(headers.get('x-request-id')).toBe(body.requestId);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(JSON.stringify(body)).not.toMatch(/node_modules|at .*\.(ts|js)|FST_|Cannot (GET|POST)|Unexpected token/);
}
