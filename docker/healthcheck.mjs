// The image's HEALTHCHECK: exit 0 when this container's /live answers 200, else 1. The image has no curl.
// Usage: node healthcheck.mjs [port]; without a port, MANAGEMENT_PORT.
import { get } from 'node:http';

const TIMEOUT_MS = 2_000;
const port = process.argv[2] ?? process.env.MANAGEMENT_PORT;

const exit = (reason) => {
  if (reason) console.error(reason);
  process.exit(reason ? 1 : 0);
};

get({ host: '127.0.0.1', port, path: '/live', timeout: TIMEOUT_MS }, ({ statusCode }) =>
  exit(statusCode === 200 ? undefined : `/live answered ${statusCode}`),
)
  .on('timeout', () => exit(`/live did not answer within ${TIMEOUT_MS} ms`))
  .on('error', (error) => exit(error.message));
