// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Requests that the gateway answered 500 since then, the upstream platform's callbacks included: an outage is no fault
 * of ours.
 * @param {string} logFolder
 * @param {number} since in milliseconds
 */
export function requestsAnswered500(logFolder, since) {
  const lines = readFileSync(join(logFolder, 'gateway.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"msg":"request.handled"') && line.includes('"status":500'));
  const requests = lines.map(
    (line) => /** @type {{ time: string, method: string, route: string }} */ (JSON.parse(line)),
  );
  return requests
    .filter(({ time }) => Date.parse(time) >= since)
    .map(({ method, route }) => `${method} ${route} was answered 500`);
}
