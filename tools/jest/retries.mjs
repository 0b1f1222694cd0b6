// @ts-check
// These tests meet real servers, whose time a busy machine takes: `npm test` tries a failed one again, and says so.
jest.retryTimes(Number(process.env['TEST_RETRIES'] ?? 0));
