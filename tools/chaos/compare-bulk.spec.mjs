import { compareBulk } from './compare-bulk.mjs';

const row = (n, fields = {}) => ({
  position: n,
  phone: `9198${n}`,
  status: 'read',
  message_id: `msg_${n}`,
  upstream_id: `wamid.${n}`,
  ...fields,
});
const taken = (n, fields = {}) => ({ opaque: `msg_${n}`, wamid: `wamid.${n}`, status: 'read', ...fields });
const job = (fields = {}) => ({
  total: 2,
  pending: 0,
  accepted: 0,
  sent: 0,
  delivered: 0,
  read: 2,
  failed: 0,
  cancelled: 0,
  rejected: 0,
  duplicates: 0,
  ...fields,
});
const facts = (fields = {}) => ({
  people: ['91981', '91982'],
  rows: [row(1), row(2)],
  taken: [taken(1), taken(2)],
  job: job(),
  ...fields,
});

describe('compareBulk', () => {
  it('reports nothing when all sources agree', () =>
    expect(compareBulk(facts())).toEqual({
      missing: [],
      twice: [],
      wrong: [],
      taken: 2,
      fromNumbers: [],
    }));

  it('counts the sends of each number and reports an idle number', () => {
    const numbers = ['15551', '15552'];
    const [one, two] = [taken(1, { from: '15551' }), taken(2, { from: '15552' })];
    expect(compareBulk(facts({ numbers, taken: [one, two] }))).toMatchObject({ wrong: [], fromNumbers: [1, 1] });
    const idle = compareBulk(facts({ numbers, taken: [one, taken(2, { from: '15551' })] }));
    expect(idle).toMatchObject({ wrong: ['nothing was sent from 15552'], fromNumbers: [2, 0] });
  });

  it('reports a recipient whose sender differs', () => {
    const rows = [row(1, { business_number: '15551' }), row(2, { business_number: '15552' })];
    const sends = [taken(1, { from: '15551' }), taken(2, { from: '15551' })];
    expect(compareBulk(facts({ rows, taken: sends })).wrong).toEqual(['recipient 2 has another sender than upstream']);
  });

  it('reports a recipient to whom nothing was sent', () => {
    const { missing, wrong } = compareBulk(facts({ taken: [taken(1)] }));
    expect([missing, wrong]).toEqual([['91982'], ['recipient 2 is read, upstream says otherwise']]);
  });

  it('reports a recipient with two sends', () =>
    expect(compareBulk(facts({ taken: [taken(1), taken(2), taken(2, { wamid: 'wamid.3' })] })).twice).toEqual([
      'msg_2',
    ]));

  it('reports a contact who was sent to by number and by user id', () => {
    const sends = [taken(1, { to: '91981' }), taken(2, { to: '91981' })];
    const rows = [row(1), row(2, { phone: 'IN.10000000000000091981' })];
    const people = rows.map(({ phone }) => phone);
    expect(compareBulk(facts({ people, rows, taken: sends })).twice).toEqual(['91981']);
  });

  it('reports an unexpected send and a row ahead of upstream', () => {
    expect(compareBulk(facts({ taken: [taken(1, { status: 'sent' }), taken(2), taken(3)] })).wrong).toEqual([
      'upstream has msg_3, which no recipient has',
      'recipient 1 is read, upstream says otherwise',
    ]);
  });

  it('reports counts that do not add up', () => {
    expect(compareBulk(facts({ job: job({ read: 1 }) })).wrong).toEqual([
      'read is 1, 2 rows are',
      'the counts do not add up to the total',
    ]);
    expect(
      compareBulk(facts({ rows: [row(1), row(2, { status: 'released' })], job: job({ read: 1, pending: 1 }) })).wrong,
    ).toEqual(['recipient 2 is released, upstream says otherwise']);
  });
});
