// @ts-check
import { SERVICES } from '../lib/services.mjs';
import { errorLines, mixesOf, PARTS, stepsOf } from './mixes.mjs';

it('mixesOf covers every pair of services in both version orders', () => {
  const mixes = mixesOf(stepsOf(PARTS));
  expect(mixes.size).toBe(SERVICES.length * (SERVICES.length - 1));
});

it('mixesOf misses pairs when services are only switched back in reverse', () => {
  const there = SERVICES.map((service) => ({ service, version: /** @type {const} */ ('new') }));
  const back = [...SERVICES].reverse().map((service) => ({ service, version: /** @type {const} */ ('old') }));
  expect(mixesOf([...there, ...back]).size).toBe((SERVICES.length * (SERVICES.length - 1)) / 2);
});

it('only the last part mixes a newer gateway with older services', () => {
  const named = [...mixesOf(stepsOf(PARTS.slice(0, 2)))];
  expect(named.filter((mix) => mix.endsWith('beside new gateway'))).toEqual([]);
  expect(named).toContain('old gateway beside new messaging');
});

it('the last step leaves every service new', () => {
  const versions = new Map(stepsOf(PARTS).map(({ service, version }) => [service, version]));
  expect([...versions.values()]).toEqual(SERVICES.map(() => 'new'));
});

it('errorLines returns logged errors with their reason', () => {
  const text = [
    '{"level":"info","service":"otp","msg":"ready"}',
    '{"level":"error","service":"otp","err":{"message":"column is missing"},"msg":"a handler failed"}',
    '{"level":"fatal","service":"jobs","msg":"the queue differs"}',
    '{"level":"error", cut',
    '{"level":"error","service":"otp","msg":"Unable to connect to the database. Retrying (1)..."}',
    '',
  ].join('\n');
  expect(errorLines(text)).toEqual([
    'otp: a handler failed: column is missing',
    'jobs: the queue differs',
    '{"level":"error", cut',
  ]);
});
