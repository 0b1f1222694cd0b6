// @ts-check
// These tests meet real servers, whose time a busy machine takes: `npm test` tries a failed one again, and says so.
// Without `logErrorsBeforeRetry` the report has no `retryReasons`, and a retried test looks like any other.
jest.retryTimes(Number(process.env['TEST_RETRIES'] ?? 0), { logErrorsBeforeRetry: true });
