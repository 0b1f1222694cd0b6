import { PartlyHandledError, PermanentError } from '@switchboard/broker';
import { jobFinishedV1, type MessageStatusChangedV1, messageStatusChangedV1 } from '@switchboard/contracts';
import type { WebhooksConfig } from '../config';
import type { EndpointsService } from '../endpoints/endpoints.service';
import { EventsController } from './events.controller';
import type { EventsService } from './events.service';

const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const change = (id: string, more: Partial<MessageStatusChangedV1> = {}) => ({
  ...messageStatusChangedV1.sample,
  id,
  upstreamId: id,
  ...more,
});

/**
 * Handles the changes while storing the given messages fails.
 * @returns the thrown error and the stored changes
 */
async function handled(changes: MessageStatusChangedV1[], failures: Record<string, Error> = {}) {
  const stored: unknown[] = [];
  const recordEvent: EventsService['recordEvent'] = ({ messageId }) => {
    const failure = failures[String(messageId)];
    if (failure) return Promise.reject(failure);
    stored.push(messageId);
    return Promise.resolve();
  };
  const events = { recordEvent } as EventsService;
  const controller = new EventsController({} as WebhooksConfig, events, {} as EndpointsService);
  const error: unknown = await controller.messageStatusesChanged({ changes }).catch((thrown: unknown) => thrown);
  return { stored, error };
}

describe('batch of message statuses', () => {
  it('stores every status', async () => {
    expect(await handled([change('msg_1'), change('msg_2')])).toEqual({ stored: ['msg_1', 'msg_2'], error: undefined });
  });

  it('requeues the unstored statuses while a retry can succeed', async () => {
    const given = [change('msg_1'), change('msg_2'), change('msg_3'), change('msg_4')];
    const later = new Error('later');
    const { stored, error } = await handled(given, { msg_2: new PermanentError('never'), msg_3: later });
    expect(stored).toEqual(['msg_1', 'msg_4']);
    expect(error).toBeInstanceOf(PartlyHandledError);
    expect(error).toMatchObject({ rest: { changes: [given[1], given[2]] }, cause: later });
  });

  it('dead-letters statuses that can never be stored', async () => {
    const given = [change('msg_1', { timestamp: 'yesterday' }), change('msg_2')];
    const { stored, error } = await handled(given);
    expect(stored).toEqual(['msg_2']);
    expect(error).toMatchObject({ rest: { changes: [given[0]] }, cause: expect.any(PermanentError) as Error });
  });

  it('waits as a whole while the database is down', async () => {
    const { error } = await handled([change('msg_1'), change('msg_2')], { msg_1: new Error('no'), msg_2: away });
    expect(error).toBe(away);
  });
});

describe('finished job', () => {
  it.each([
    ['completed', ['job_completed']],
    ['failed', ['job_failed']],
    ['cancelled', []],
  ] as const)('creates the events of status "%s": %j', async (status, kinds) => {
    const recorded: string[] = [];
    const recordEvent: EventsService['recordEvent'] = ({ kind }) => Promise.resolve(void recorded.push(kind));
    const events = { recordEvent } as EventsService;
    const controller = new EventsController({} as WebhooksConfig, events, {} as EndpointsService);
    await controller.jobFinished({ ...jobFinishedV1.sample, status });
    expect(recorded).toEqual(kinds);
  });
});
