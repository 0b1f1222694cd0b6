import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SKIP_SEARCH_STATISTICS } from './1763900000040-skip-search-statistics';

/**
 * Accents, vowel points, tone marks, nuktas and invisible characters: what people leave out when they search. Vowel
 * signs and viramas of Indic scripts and the voicing marks of kana stay, since they make another letter. Written out as
 * ranges, because `unaccent` is an extension that the service may not have, and knows Latin, Greek and Cyrillic alone.
 */
const MARKS = [
  String.raw`\u00AD\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u061C\u0640`,
  String.raw`\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u093C\u0951-\u0954`,
  String.raw`\u09BC\u0A3C\u0ABC\u0B3C\u0CBC\u0E48-\u0E4C\u0EC8-\u0ECC\u1AB0-\u1AFF\u1DC0-\u1DFF\u200B-\u200F\u202A-\u202E`,
  String.raw`\u2060-\u2064\u2066-\u2069\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F\uFEFF`,
].join('');

/** Letters that Unicode does not take apart, forms of one Arabic or Greek letter, and what people type for them. */
const LETTERS = { of: 'øłđðħıŧɓɗƙƴςىیکة', to: 'olddhitbdkyσييكه' };

/**
 * Letters without case, accents, blanks and pluses, so that "Garcia" finds "García" and 9198… "+91 98". Plain ASCII, as
 * phone numbers are, skips the costly part. Taken apart (NFKD) for the marks, and put together again (NFKC) for Hangul
 * and kana. Its cost is given so that the planner uses the indexes: it cannot see how much each call does.
 */
const SEARCH_FORM = String.raw`
  CREATE OR REPLACE FUNCTION search_form(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
  BEGIN
    IF given IS NULL THEN RETURN ''; END IF;
    IF octet_length(given) = length(given) THEN RETURN lower(translate(given, E' +\t\n\r', '')); END IF;
    given := lower(regexp_replace(normalize(given, NFKD), '[${MARKS}]', '', 'g'));
    given := translate(given, '${LETTERS.of}' || E' +\t\n\r', '${LETTERS.to}');
    RETURN normalize(replace(replace(replace(replace(given, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), NFKC);
  END $$`;

const INDEXES = ['contacts_search', 'contacts_username_search', 'contacts_app_name_search'];

/**
 * The indexes hold what the function made of each name, so they are built anew, beside the writers. Until one is ready,
 * a search for an accented name may miss contacts; all other searches stay right. Begun again after a crash.
 */
export class SearchWithoutAccents1764300000040 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SEARCH_FORM);
    for (const index of INDEXES) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}_ccnew`);
      await runner.query(`REINDEX INDEX CONCURRENTLY ${index}`);
    }
    await runner.query(SKIP_SEARCH_STATISTICS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
