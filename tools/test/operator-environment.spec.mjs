// @ts-check
import { operatorEnvironmentProblem } from '../lib/operator-environment.mjs';

const WHOLE = { DATABASE_URL: 'postgres://a', RABBITMQ_URL: 'amqp://a', ENCRYPTION_KEY: 'key' };

test('accepts an environment with a complete installation or none', () => {
  for (const environment of [WHOLE, {}, { RABBITMQ_URL: 'amqp://given' }])
    expect(operatorEnvironmentProblem(environment)).toBeUndefined();
});

test('names the missing variables of a partial environment', () => {
  expect(operatorEnvironmentProblem({ ...WHOLE, ENCRYPTION_KEY: '' })).toContain('set ENCRYPTION_KEY, too');
  expect(operatorEnvironmentProblem({ DATABASE_URL: 'postgres://a' })).toContain(
    'set RABBITMQ_URL and ENCRYPTION_KEY, too',
  );
});
