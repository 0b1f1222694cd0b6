import { contractsHandledBy } from '@switchboard/contracts';
import { handlerProblems } from './handler-check';

describe('the check of handlers at the start', () => {
  const all = contractsHandledBy('webhooks').map(({ name }) => name);

  it('finds nothing wrong when each message has its handler', () => {
    expect(handlerProblems('webhooks', all)).toEqual([]);
  });

  it('names each message without one, with two, of another service, and the file that does not list one', () => {
    const [first = '', second = '', ...rest] = all;
    expect(handlerProblems('webhooks', [second, second, ...rest, 'jobs.get-job.v1', 'webhooks.new.v1'])).toEqual([
      `${first} has no handler: add one to a controller in apps/webhooks/src`,
      `${second} has 2 handlers`,
      'jobs.get-job.v1 has a handler, but webhooks neither owns nor consumes it',
      'webhooks.new.v1 has no queue: export its file from libs/contracts/src/all-contracts.ts',
    ]);
  });
});
