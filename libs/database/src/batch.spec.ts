import { Column, Entity, PrimaryColumn } from 'typeorm';
import { batchOf, type BatchRow, columnNames, columnsOf, selectList } from './batch';

@Entity('parcels')
class Parcel {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'jsonb', nullable: true }) content: unknown;
  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true }) sentAt: Date | null;
  label: string;
}

const PARCELS = batchOf({
  ...columnsOf(Parcel, ['id', 'accountId', 'content', 'sentAt']),
  isMarketing: 'boolean',
});

const PARCEL: BatchRow<typeof PARCELS> = {
  id: 'a',
  accountId: 'acc',
  content: { text: 'Hi' },
  sentAt: '2026-11-27T10:00:00Z',
  isMarketing: null,
};

describe('batchOf', () => {
  it("uses the entity's names and types, and snake case for other columns", () => {
    expect(PARCELS.unnest('parcel')).toBe(
      'unnest($1::text[], $2::text[], $3::jsonb[], $4::timestamptz[], $5::boolean[]) ' +
        'AS parcel (id, account_id, content, sent_at, is_marketing)',
    );
  });

  it('returns the names of some columns from columnNames', () => {
    expect(columnNames({ ...columnsOf(Parcel, ['sentAt', 'id']), isMarketing: 'boolean' })).toBe(
      'sent_at, id, is_marketing',
    );
  });

  it('selects columns under the names of their properties', () => {
    const columns = columnsOf(Parcel, ['id', 'sentAt']);
    expect(selectList(columns)).toBe('id AS "id", sent_at AS "sentAt"');
    expect(selectList(columns, 'parcels')).toBe('parcels.id AS "id", parcels.sent_at AS "sentAt"');
  });

  it('adds the row numbers as a last column', () => {
    expect(batchOf({ id: 'text' }).unnest('parcel', 'position')).toBe(
      'unnest($1::text[]) WITH ORDINALITY AS parcel (id, position)',
    );
  });

  it('numbers its parameters after those of the statement', () => {
    const batch = batchOf({ id: 'text', size: 'int' }, { from: 3 });
    expect(batch.unnest('parcel')).toBe('unnest($3::text[], $4::int[]) AS parcel (id, size)');
    expect(batch.list('size')).toBe('$4::int[]');
    expect(batch.next).toBe(5);
  });

  it('lists values in column order for rows in any property order', () => {
    const batch = batchOf({ id: 'text', size: 'int' });
    const rows = [
      { id: 'a', size: 1 },
      { size: 2, id: 'b' },
    ];
    expect(batch.parameters(rows)).toEqual([
      ['a', 'b'],
      [1, 2],
    ]);
  });

  it('serializes jsonb as JSON, and null as NULL', () => {
    const rows = [PARCEL, { ...PARCEL, content: null, sentAt: null }, { ...PARCEL, content: 'text' }];
    expect(PARCELS.parameters(rows)).toEqual([
      ['a', 'a', 'a'],
      ['acc', 'acc', 'acc'],
      ['{"text":"Hi"}', null, '"text"'],
      ['2026-11-27T10:00:00Z', null, '2026-11-27T10:00:00Z'],
      [null, null, null],
    ]);
  });

  it('accepts derived columns that the rows do not have', () => {
    const rows = [{ id: 'a', file: { kind: 'pdf' } }];
    const batch = batchOf({ id: 'text', file: 'jsonb', kind: 'text' });
    expect(batch.parameters(rows, { id: ({ id }) => id.toUpperCase(), kind: ({ file }) => file.kind })).toEqual([
      ['A'],
      ['{"kind":"pdf"}'],
      ['pdf'],
    ]);
  });

  it('returns an empty list per column without rows', () => {
    expect(PARCELS.parameters([])).toEqual([[], [], [], [], []]);
  });

  it('throws for a property that is not a column', () => {
    expect(() => columnsOf(Parcel, ['label'])).toThrow('Parcel.label is no column with a type');
  });

  it('compiles only with the properties of the batch', () => {
    const { accountId, ...incomplete } = PARCEL;
    // @ts-expect-error -- without accountId
    PARCELS.parameters([incomplete]);
    PARCELS.parameters([incomplete], { accountId: () => accountId });
    // @ts-expect-error -- no column of the batch
    PARCELS.parameters([PARCEL], { weight: () => 1 });
    // @ts-expect-error -- no column of the batch
    const unknown: BatchRow<typeof PARCELS> = { ...PARCEL, weight: 1 };
    // @ts-expect-error -- the column may not be null
    PARCELS.parameters([{ ...PARCEL, id: null }]);
    // @ts-expect-error -- another type
    PARCELS.parameters([incomplete], { accountId: () => 1 });
    // @ts-expect-error -- no column of the batch
    PARCELS.list('weight');
    // @ts-expect-error -- no property of the entity
    expect(() => columnsOf(Parcel, ['weight'])).toThrow('Parcel.weight');
    expect(unknown).toBeDefined();
  });
});
