import { type JobMessagesChangedV1, messageStatusChangedV1 } from '@switchboard/contracts';
import { type MessageNews, newsOf, publishJobChanges } from './job-changes';

function published(news: readonly MessageNews[]): JobMessagesChangedV1[] {
  const events: object[] = [];
  publishJobChanges({ publish: (_contract, body) => void events.push(body) }, news);
  return events as JobMessagesChangedV1[];
}

const news = (jobId: string | null, messageId: string): MessageNews => ({
  accountId: `acc_of_${jobId}`,
  jobId,
  change: { messageId, status: 'sent', at: '2026-03-02T10:15:04.120Z' },
});

describe('publishJobChanges', () => {
  it('publishes one event per job, and none for messages without a job', () => {
    const events = published([
      news('job_1', 'msg_1'),
      news(null, 'msg_2'),
      news('job_2', 'msg_3'),
      news('job_1', 'msg_4'),
    ]);
    expect(
      events.map(({ accountId, jobId, changes }) => [accountId, jobId, changes.map(({ messageId }) => messageId)]),
    ).toEqual([
      ['acc_of_job_1', 'job_1', ['msg_1', 'msg_4']],
      ['acc_of_job_2', 'job_2', ['msg_3']],
    ]);
  });

  it('splits very many changes into several events', () => {
    const events = published(Array.from({ length: 1_201 }, (_none, index) => news('job_1', `msg_${index}`)));
    expect(events.map(({ changes }) => changes.length)).toEqual([500, 500, 201]);
    expect(events.flatMap(({ changes }) => changes).at(-1)?.messageId).toBe('msg_1200');
  });
});

describe('newsOf', () => {
  it('omits the internal id that replaces a missing upstream id', () => {
    const told = { ...messageStatusChangedV1.sample, jobId: 'job_1' };
    expect(newsOf(told).change).toMatchObject({
      messageId: told.id,
      upstreamId: 'wamid.OUT',
      status: 'failed',
      error: told.error,
    });
    expect(newsOf({ ...told, upstreamId: told.id }).change.upstreamId).toBeNull();
  });
});
