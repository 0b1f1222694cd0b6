import type { TemplateStatus } from '@switchboard/contracts';
import type { UpstreamTemplate } from '@switchboard/upstream';
import { toListed } from './listed-template';
import { findChanges, isReported, type KnownTemplate } from './template-changes';

const upstream = (id: string, status: string, more: object = {}) => ({
  id,
  name: `template_${id}`,
  language: 'en_US',
  status,
  category: 'utility',
  components: [{ type: 'BODY', text: 'Hello' }],
  ...more,
});
const known = (id: string, status: TemplateStatus, upstreamStatus: string = status): KnownTemplate => ({
  id,
  name: `template_${id}`,
  language: 'en_US',
  category: 'UTILITY',
  status,
  upstreamStatus,
  flagReason: null,
});

describe('toListed', () => {
  it('translates status, category and language', () => {
    const [template] = toListed([upstream('1', 'PAUSED', { language: 'en-US' })]);
    expect(template).toMatchObject({
      id: '1',
      status: 'FLAGGED',
      upstreamStatus: 'PAUSED',
      category: 'UTILITY',
      language: 'en_US',
    });
  });

  it('keeps only the reason of a rejection', () => {
    const reasons = toListed([
      upstream('1', 'REJECTED', { rejected_reason: 'INVALID_FORMAT' }),
      upstream('2', 'REJECTED', { rejected_reason: 'NONE' }),
      upstream('3', 'APPROVED', { rejected_reason: 'INVALID_FORMAT' }),
    ]).map(({ reason }) => reason);
    expect(reasons).toEqual(['INVALID_FORMAT', null, null]);
  });

  it('accepts incomplete entries but skips those without a name', () => {
    const bare = { id: '1', name: 'bare', language: 'en' } as UpstreamTemplate;
    expect(toListed([bare, { ...bare, name: '' }])).toMatchObject([
      { id: '1', status: 'FLAGGED', category: '', components: [] },
    ]);
  });

  it('keeps the later of two entries for the same template', () => {
    expect(toListed([upstream('1', 'PENDING'), upstream('1', 'APPROVED')]).map(({ status }) => status)).toEqual([
      'APPROVED',
    ]);
  });
});

describe('findChanges', () => {
  it('finds changed, new and missing templates', () => {
    const changes = findChanges(
      [known('same', 'APPROVED'), known('moved', 'PENDING'), known('gone', 'APPROVED')],
      toListed([upstream('same', 'APPROVED'), upstream('moved', 'APPROVED'), upstream('new', 'PENDING')]),
    );
    expect(changes.map(({ id, previousStatus, status }) => [id, previousStatus, status])).toEqual([
      ['moved', 'PENDING', 'APPROVED'],
      ['new', null, 'PENDING'],
      ['gone', 'APPROVED', 'DISABLED'],
    ]);
  });

  it('records an upstream state with an unchanged status without reporting it', () => {
    const changes = findChanges([known('1', 'FLAGGED', 'PAUSED')], toListed([upstream('1', 'LOCKED')]));
    expect(changes).toMatchObject([
      { previousStatus: 'FLAGGED', status: 'FLAGGED', upstreamStatus: 'LOCKED', previousCategory: null },
    ]);
    expect(changes.map((change) => isReported(change, { isFirstReading: false }))).toEqual([false]);
  });

  it('records a new category but does not report it', () => {
    const changes = findChanges(
      [known('1', 'APPROVED')],
      toListed([upstream('1', 'APPROVED', { category: 'MARKETING' })]),
    );
    expect(changes).toMatchObject([
      { previousStatus: 'APPROVED', status: 'APPROVED', previousCategory: 'UTILITY', category: 'MARKETING' },
    ]);
    expect(changes.map((change) => isReported(change, { isFirstReading: false }))).toEqual([false]);
  });
});

describe('isReported', () => {
  const change = (previousStatus: TemplateStatus | null, status: TemplateStatus) => ({
    ...known('1', status),
    status,
    previousStatus,
    previousCategory: null,
    reason: null,
    raw: {},
  });

  it.each([
    ['a known template that is now approved', change('PENDING', 'APPROVED'), true],
    ['a known template that is now flagged', change('APPROVED', 'FLAGGED'), true],
    ['a disabled template that is now missing', change('DISABLED', 'DISABLED'), false],
    ['a new template under review', change(null, 'PENDING'), false],
    ['a new approved template', change(null, 'APPROVED'), true],
  ])('decides for %s', (_case, given, reported) => expect(isReported(given, { isFirstReading: false })).toBe(reported));

  it('returns false for new templates in the first sync', () =>
    expect(isReported(change(null, 'APPROVED'), { isFirstReading: true })).toBe(false));
});
