// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns requests since a given time, including upstream callbacks, to which the gateway responded with 500. An outage
 * must not cause any.
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
 * Reads the reasons of failed requests from the gateway's log.
 * @param {string} logFolder
 * @returns {Map<string, string>} reasons by request id
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
 * Reads from the gateway's log the response statuses of upstream callbacks in a time range.
 * @param {string} logFolder
 * @param {number} from in milliseconds
 * @param {number} to in milliseconds
 * @returns {number[]} statuses
 */
export function callbacksBetween(logFolder, from, to) {
  const lines = readFileSync(join(logFolder, 'gateway.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"msg":"request.handled"') && line.includes('/callbacks/upstream'));
  const requests = lines.map((line) => /** @type {{ time: string, status: number }} */ (JSON.parse(line)));
  return requests.filter(({ time }) => Date.parse(time) >= from && Date.parse(time) <= to).map(({ status }) => status);
}
