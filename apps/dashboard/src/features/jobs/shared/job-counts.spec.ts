import { isScheduled, type Job, notSentOf, progressText, sentOf } from './job-counts';

const job = (counts: Partial<Job>): Job => ({ status: 'completed', total: 303, scheduledAt: null, ...counts }) as Job;

describe('job outcomes', () => {
  it('count rejected, failed and cancelled rows as not sent', () => {
    const ended = job({ duplicates: 1, read: 200, delivered: 60, sent: 30, accepted: 7, failed: 2, rejected: 3 });
    expect([sentOf(ended), notSentOf(ended)]).toEqual([297, 5]);
    expect([sentOf(job({ cancelled: 303 })), notSentOf(job({ cancelled: 303 }))]).toEqual([0, 303]);
  });

  it('do not count cancelled rows as done', () => {
    expect(progressText(job({ duplicates: 1, pending: 2 }))).toBe('300 of 302 rows done');
    expect(progressText(job({ cancelled: 301 }))).toBe('2 of 303 rows done, 301 cancelled');
  });

  it('show a queued job with a future start as scheduled', () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    expect(isScheduled(job({ status: 'queued', scheduledAt }))).toBe(true);
    expect(isScheduled(job({ status: 'paused', scheduledAt }))).toBe(false);
    expect(isScheduled(job({ status: 'queued', scheduledAt: '2026-03-02T10:15:00.000Z' }))).toBe(false);
    expect(isScheduled(job({ status: 'queued' }))).toBe(false);
  });
});
