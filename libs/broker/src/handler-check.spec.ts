import { contractsHandledBy } from '@switchboard/contracts';
import { handlerProblems } from './handler-check';

describe('handlerProblems', () => {
  const all = contractsHandledBy('webhooks').map(({ name }) => name);

  it('returns nothing when each message has one handler', () => {
    expect(handlerProblems('webhooks', all)).toEqual([]);
  });

  it('reports missing, duplicate, foreign and unlisted handlers', () => {
    const [first = '', second = '', ...rest] = all;
    expect(handlerProblems('webhooks', [second, second, ...rest, 'jobs.get-job.v1', 'webhooks.new.v1'])).toEqual([
      `${first} has no handler: add one to a controller in apps/webhooks/src`,
      `${second} has 2 handlers`,
      'jobs.get-job.v1 has a handler, but webhooks neither owns nor consumes it',
      'webhooks.new.v1 has no queue: export its file from libs/contracts/src/all-contracts.ts',
    ]);
  });
});
