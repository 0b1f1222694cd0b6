// @ts-check
// `npm test` retries failed tests against real servers, which a busy machine slows down, and reports the retries.
// Without `logErrorsBeforeRetry`, the report has no `retryReasons`, and a retried test looks like any other.
jest.retryTimes(Number(process.env['TEST_RETRIES'] ?? 0), { logErrorsBeforeRetry: true });
