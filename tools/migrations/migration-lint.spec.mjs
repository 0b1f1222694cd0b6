// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { SERVICES } from '../lib/services.mjs';
import { migrationFaults } from './migration-lint.mjs';

const files = SERVICES.flatMap((service) => {
  const folder = `apps/${service}/src/migrations`;
  return readdirSync(join(ROOT, folder)).flatMap((name) => (/^\d+-.*\.ts$/.test(name) ? [`${folder}/${name}`] : []));
});

test('every service has migrations', () => expect(files.length).toBeGreaterThanOrEqual(SERVICES.length));

test('no migration breaks the previous version', () => {
  const faults = files.flatMap((file) =>
    migrationFaults(readFileSync(join(ROOT, file), 'utf8')).map((fault) => `${file}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test.each([
  ['ALTER TABLE messages DROP COLUMN caption', 'DROP COLUMN'],
  ['ALTER TABLE messages RENAME COLUMN a TO b', 'RENAME COLUMN'],
  ['ALTER TABLE messages ALTER COLUMN a TYPE bigint', 'TYPE'],
  ['ALTER TABLE messages ALTER a SET NOT NULL', 'SET NOT NULL'],
  ['ALTER TABLE messages ADD COLUMN a text NOT NULL', 'NOT NULL'],
  ['ALTER TABLE messages ADD CONSTRAINT c CHECK (a > 0)', 'ADD CONSTRAINT'],
  ['CREATE INDEX messages_a ON messages (a)', 'CREATE INDEX'],
  ['CREATE UNIQUE INDEX messages_a ON messages (a)', 'CREATE UNIQUE INDEX'],
])('rejects "%s"', (sql, named) => expect(migrationFaults(sql).join()).toContain(named));

test.each([
  'ALTER TABLE messages ADD COLUMN a text',
  'ALTER TABLE messages ADD COLUMN a boolean NOT NULL DEFAULT false, ADD COLUMN b text',
  'ALTER TABLE messages ADD CONSTRAINT c CHECK (a > 0) NOT VALID',
  'CREATE INDEX CONCURRENTLY messages_a ON messages (a)',
  'CREATE TABLE drafts (id text NOT NULL PRIMARY KEY); CREATE INDEX drafts_a ON drafts (a)',
  '// contract: no version reads this column since 0.2\nALTER TABLE messages DROP COLUMN caption',
  '-- DROP TABLE messages',
])('accepts "%s"', (sql) => expect(migrationFaults(sql)).toEqual([]));
