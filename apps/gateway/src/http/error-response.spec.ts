import { AppError, type ErrorCode, ERRORS } from '@switchboard/contracts';
import { errorResponse } from './error-response';

describe('error response', () => {
  it("has the error's status, message, code and request id", () => {
    expect(errorResponse(new AppError('UNAUTHORIZED'), 'req_1')).toEqual({
      status: 401,
      headers: { 'x-request-id': 'req_1', 'www-authenticate': 'Bearer' },
      body: {
        success: false,
        message: 'missing or invalid API key',
        code: 'UNAUTHORIZED',
        details: [],
        requestId: 'req_1',
      },
    });
  });

  it('lists the rejected fields in details', () => {
    const details = [{ field: 'to', message: 'to is required' }];
    expect(
      errorResponse(new AppError('MISSING_FIELD', { message: 'to is required', details }), 'r').body,
    ).toMatchObject({
      details,
    });
  });

  it('has a Retry-After header if retries may succeed', () => {
    expect(errorResponse(new AppError('RATE_LIMITED', { retryAfterSeconds: 17 }), 'r').headers['retry-after']).toBe(
      '17',
    );
    expect(errorResponse(new AppError('UPSTREAM_THROTTLED'), 'r').headers['retry-after']).toBe('1');
    // Every 429 has Retry-After (spec §2.4.2).
    const tooMany = Object.entries(ERRORS).flatMap(([code, { status }]) => (status === 429 ? [code as ErrorCode] : []));
    expect(tooMany).toHaveLength(5);
    // So have unavailable services and unknown outcomes (spec §3.9.5).
    for (const code of [...tooMany, 'UNAVAILABLE', 'OUTCOME_UNKNOWN', 'UPSTREAM_TIMEOUT'] as const) {
      expect(Number(errorResponse(new AppError(code), 'r').headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(errorResponse(new AppError('UPSTREAM_ERROR'), 'r').headers).not.toHaveProperty('retry-after');
  });

  it('does not let extra fields replace the fixed ones', () => {
    const error = new AppError('OTP_INVALID', {
      extra: { verified: false, attemptsRemaining: 4, success: true, code: 'x' },
    });
    expect(errorResponse(error, 'r').body).toEqual({
      success: false,
      verified: false,
      attemptsRemaining: 4,
      message: 'invalid or expired OTP',
      code: 'OTP_INVALID',
      details: [],
      requestId: 'r',
    });
  });

  it('does not contain the cause', () => {
    const answer = errorResponse(new AppError('INTERNAL', { cause: new Error('relation "x" does not exist') }), 'r');
    expect(JSON.stringify(answer)).not.toContain('relation');
  });
});
