import type { Schemas } from '../../api/client';
import { openNotices } from './open-notices';

const NOW = Date.parse('2026-03-02T10:00:00.000Z');
const notice = (id: string, more: Partial<Schemas['AccountNotice']>): Schemas['AccountNotice'] => ({
  id,
  notice: 'violation',
  severity: 'warning',
  summary: '',
  phoneNumbers: ['15550783881'],
  wabaId: '1',
  restrictions: [],
  messagingLimit: null,
  details: {},
  timestamp: '2026-03-01T10:00:00.000Z',
  ...more,
});
const openOf = (...notices: Schemas['AccountNotice'][]) => openNotices(notices, NOW).map(({ id }) => id);
const until = (time: string | null) => [{ type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: time }];

describe('openNotices', () => {
  it('includes recent notices above the information level', () => {
    const old = notice('old', { timestamp: '2026-01-01T10:00:00.000Z' });
    expect(openOf(notice('new', {}), old, notice('told', { severity: 'info' }))).toEqual(['new']);
  });

  it('includes a restriction of any age until it expires', () => {
    const restriction = { notice: 'restriction', severity: 'critical', timestamp: '2026-01-01T10:00:00.000Z' } as const;
    expect(openOf(notice('over', { ...restriction, restrictions: until('2026-03-02T09:59:59.000Z') }))).toEqual([]);
    expect(openOf(notice('on', { ...restriction, restrictions: until('2026-03-02T10:00:01.000Z') }))).toEqual(['on']);
    expect(openOf(notice('endless', { ...restriction, restrictions: until(null) }))).toEqual(['endless']);
  });

  it('drops a notice that a later one resolves, in any order', () => {
    const disabled = notice('disabled', { notice: 'disabled', severity: 'critical' });
    const restricted = notice('restricted', { notice: 'restriction', severity: 'critical', restrictions: until(null) });
    const reinstated = notice('reinstated', {
      notice: 'reinstated',
      severity: 'info',
      timestamp: '2026-03-01T11:00:00.000Z',
    });
    expect(openOf(disabled, restricted, reinstated)).toEqual([]);
    expect(openOf(disabled, restricted, { ...reinstated, wabaId: '2' })).toEqual(['disabled', 'restricted']);
  });

  it('resolves a name notice only for the same number', () => {
    const rejected = notice('rejected', { notice: 'name' });
    const approved = { notice: 'name', severity: 'info', timestamp: '2026-03-01T11:00:00.000Z' } as const;
    expect(openOf(rejected, notice('approved', approved))).toEqual([]);
    expect(openOf(rejected, notice('other', { ...approved, phoneNumbers: ['1'] }))).toEqual(['rejected']);
  });
});
