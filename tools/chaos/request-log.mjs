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

/**
 * Reads from the gateway's log why requests failed.
 * @param {string} logFolder
 * @returns {Map<string, string>} the reason by request id
 */
export function failureReasons(logFolder) {
  const lines = readFileSync(join(logFolder, 'gateway.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"msg":"request.failed"'));
  const failures = lines.map(
    (line) => /** @type {{ requestId: string, err?: { message?: string } }} */ (JSON.parse(line)),
  );
  return new Map(failures.map(({ requestId, err }) => [requestId, err?.message ?? 'no reason']));
}

/**
 * Reads from the gateway's log how it answered callbacks of the upstream platform that were answered in a span of time.
 * @param {string} logFolder
 * @param {number} from in milliseconds
 * @param {number} to in milliseconds
 * @returns {number[]} their statuses
 */
export function callbacksBetween(logFolder, from, to) {
  const lines = readFileSync(join(logFolder, 'gateway.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"msg":"request.handled"') && line.includes('/callbacks/upstream'));
  const requests = lines.map((line) => /** @type {{ time: string, status: number }} */ (JSON.parse(line)));
  return requests.filter(({ time }) => Date.parse(time) >= from && Date.parse(time) <= to).map(({ status }) => status);
}
