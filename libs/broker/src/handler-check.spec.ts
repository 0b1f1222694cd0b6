import { contractsHandledBy } from '@switchboard/contracts';
import { handlerProblems } from './handler-check';

describe('the check of handlers at the start', () => {
  const all = contractsHandledBy('webhooks').map(({ name }) => name);

  it('finds nothing wrong when each message has its handler', () => {
    expect(handlerProblems('webhooks', all)).toEqual([]);
  });

  it('names each message without one, with two, and of another service', () => {
    const [first = '', second = '', ...rest] = all;
    expect(handlerProblems('webhooks', [second, second, ...rest, 'jobs.get-job.v1'])).toEqual([
      `${first} has no handler`,
      `${second} has 2 handlers`,
      'jobs.get-job.v1 has a handler, but webhooks neither owns nor consumes it',
    ]);
  });
});
