import { DataSource } from 'typeorm';
import { statementOf } from './connection';

const dataSource = new DataSource({ type: 'postgres' });

describe('statementOf', () => {
  it('passes positional values through', () => {
    const sql = 'SELECT id FROM parcels WHERE id = $1';
    expect(statementOf(dataSource, sql, ['a'])).toEqual({ text: sql, values: ['a'] });
    expect(statementOf(dataSource, sql)).toEqual({ text: sql, values: [] });
  });

  it('numbers each named value once and ignores casts and unused values', () => {
    const sql =
      'SELECT id FROM parcels WHERE id = ANY (:ids) AND (:sentAt::timestamptz IS NULL OR sent_at < :sentAt) AND label = :label';
    const params = { label: undefined, unused: 1, ids: ['a', 'b'], sentAt: '2026-11-27T10:00:00Z' };
    expect(statementOf(dataSource, sql, params)).toEqual({
      text: 'SELECT id FROM parcels WHERE id = ANY ($1) AND ($2::timestamptz IS NULL OR sent_at < $2) AND label = $3',
      values: [['a', 'b'], '2026-11-27T10:00:00Z', undefined],
    });
  });
});
