// @ts-check
import { SERVICES } from '../lib/services.mjs';
import { errorLines, mixesOf, PARTS, stepsOf } from './mixes.mjs';

it('brings each service in either version beside each other service in the other one', () => {
  const mixes = mixesOf(stepsOf(PARTS));
  expect(mixes.size).toBe(SERVICES.length * (SERVICES.length - 1));
});

it('leaves mixes out when the services go back in the opposite order alone', () => {
  const there = SERVICES.map((service) => ({ service, version: /** @type {const} */ ('new') }));
  const back = [...SERVICES].reverse().map((service) => ({ service, version: /** @type {const} */ ('old') }));
  expect(mixesOf([...there, ...back]).size).toBe((SERVICES.length * (SERVICES.length - 1)) / 2);
});

it('has a newer gateway beside older services in the last part alone', () => {
  const named = [...mixesOf(stepsOf(PARTS.slice(0, 2)))];
  expect(named.filter((mix) => mix.endsWith('beside new gateway'))).toEqual([]);
  expect(named).toContain('old gateway beside new messaging');
});

it('ends with every service new', () => {
  const versions = new Map(stepsOf(PARTS).map(({ service, version }) => [service, version]));
  expect([...versions.values()]).toEqual(SERVICES.map(() => 'new'));
});

it('finds what a program logged as an error, with the reason', () => {
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
