import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQL: the canonical form of a phone number (`canonicalPhone`), as this version knows it. */
const canonical = (phone: string): string =>
  String.raw`regexp_replace(regexp_replace(regexp_replace(${phone},
    '^(55[1-9][0-9])9([6-9][0-9]{7})$', '\1\2'), '^521([0-9]{10})$', '52\1'), '^549([0-9]{10})$', '54\1')`;

const merged = (times: string): string =>
  `ARRAY(SELECT at FROM unnest(code.${times} || excluded.${times}) AS at ORDER BY at)`;

/**
 * Limits and codes are kept under one form of a phone number. Codes that are still valid stay so; their hashes hold the
 * number as it was written.
 */
const MERGE_CODES = `
  WITH other AS (DELETE FROM codes WHERE phone <> ${canonical('phone')} RETURNING *)
  INSERT INTO codes AS code (account_id, phone, issued, failed_at, sent_at, last_outcome, touched_at)
  SELECT account_id, ${canonical('phone')}, issued, failed_at, sent_at, last_outcome, touched_at FROM other
  ON CONFLICT (account_id, phone) DO UPDATE SET
    issued = code.issued || excluded.issued,
    failed_at = ${merged('failed_at')},
    sent_at = ${merged('sent_at')},
    touched_at = greatest(code.touched_at, excluded.touched_at)`;

const RENAME_SENDS = `UPDATE sends SET phone = ${canonical('phone')} WHERE phone <> ${canonical('phone')}`;

export class MergePhoneSpellings1763900030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MERGE_CODES);
    await runner.query(RENAME_SENDS);
  }

  async down(): Promise<void> {
    throw new Error('migrations only go forward');
  }
}
