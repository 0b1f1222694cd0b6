import { UpstreamError, type UpstreamErrorFields } from '@switchboard/upstream';
import { MarketingEndpoint } from './marketing-endpoint';

const send = { numberId: 'num_1', content: { name: 'offer' } };
const other = { numberId: 'num_1', content: { name: 'news' } };
const stranger = { numberId: 'num_2', content: { name: 'offer' } };

const failure = (fields: Partial<UpstreamErrorFields>): UpstreamError =>
  new UpstreamError({
    kind: 'rejected',
    title: 'No',
    retriable: false,
    category: 'other',
    answer: 'UPSTREAM_ERROR',
    ...fields,
  });

describe('MarketingEndpoint', () => {
  it('is skipped for a number whose business is not onboarded', () => {
    for (const refusal of [{ code: 131055 }, { code: 2500 }, { code: 200, category: 'auth' as const }]) {
      const endpoint = new MarketingEndpoint();
      expect(endpoint.noteRefusal(send, failure(refusal))).toBe(true);
      expect([send, other, stranger].map((one) => endpoint.mayTake(one))).toEqual([false, false, true]);
    }
  });

  it('is skipped only for the template that it rejects', () => {
    for (const code of [100, 131009, 134100, 134101, 134102]) {
      const endpoint = new MarketingEndpoint();
      expect(endpoint.noteRefusal(send, failure({ code }))).toBe(true);
      expect([send, other, stranger].map((one) => endpoint.mayTake(one))).toEqual([false, true, true]);
    }
  });

  it('allows no fallback after general errors or a possible send', () => {
    const endpoint = new MarketingEndpoint();
    const failures = [
      ...[131026, 131049, 131050, 130429, 132001].map((code) => failure({ code })),
      failure({ kind: 'unknown-outcome', code: 131055 }),
      failure({ kind: 'unavailable', code: 131055 }),
      failure({}),
    ];
    expect(failures.map((error) => endpoint.noteRefusal(send, error))).toEqual(failures.map(() => false));
    expect(endpoint.mayTake(send)).toBe(true);
  });
});
