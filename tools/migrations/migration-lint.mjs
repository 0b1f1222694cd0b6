// @ts-check

/**
 * Statements that break the previous version, which still runs on the new schema during a rollout, or that lock a whole
 * table for a long time.
 * @type {{ pattern: RegExp, why: string }[]}
 */
const RULES = [
  { pattern: /\bDROP\s+(TABLE|SCHEMA|COLUMN|VIEW|FUNCTION)\b/i, why: 'the version before may still use it' },
  { pattern: /\bRENAME\s+(TO|COLUMN|CONSTRAINT)\b/i, why: 'the version before knows the old name' },
  { pattern: /\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b/i, why: 'it rewrites the table under a lock' },
  { pattern: /\bSET\s+NOT\s+NULL\b/i, why: 'the version before may write NULL' },
  {
    pattern:
      /\bADD\s+(COLUMN\s+)?(?!CONSTRAINT|CHECK|PRIMARY|UNIQUE|FOREIGN)\w+\s+(?![^,;]*\bDEFAULT\b)[^,;]*\bNOT\s+NULL\b/i,
    why: 'the version before inserts rows without it: give it a DEFAULT',
  },
  {
    pattern: /\bADD\s+CONSTRAINT\b(?![^;]*\bNOT\s+VALID\b)/i,
    why: 'it reads the whole table under a lock: add it NOT VALID, validate it later',
  },
];
/** Matches an index that is allowed only on a table created in the same migration, which is still empty. */
const INDEX = /\bCREATE\s+(UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)(?:IF\s+NOT\s+EXISTS\s+)?\w+\s+ON\s+(?:ONLY\s+)?(\w+)/gi;
/** Comment in a migration that justifies a violation: `// contract: no version reads this column since 0.2`. */
const REASON = /\/\/ contract: \S.{10,}/;

/**
 * Returns a migration's statements that are unsafe while the previous version is running (expand, deploy, contract).
 * @param {string} text source of a migration
 * @returns {string[]} one line per problem; none for a migration with a reason
 */
export function migrationFaults(text) {
  if (REASON.test(text)) return [];
  const statements = text.replaceAll(/^\s*(\/\/|--).*$/gm, '');
  const faults = RULES.flatMap(({ pattern, why }) => {
    const found = pattern.exec(statements)?.[0];
    return found === undefined ? [] : [`${found.replaceAll(/\s+/g, ' ')}: ${why}`];
  });
  for (const [found, , table = ''] of statements.matchAll(INDEX))
    if (!new RegExp(`\\bCREATE\\s+TABLE\\s+${table}\\b`, 'i').test(statements))
      faults.push(`${found.replaceAll(/\s+/g, ' ')}: writers wait meanwhile: build it CONCURRENTLY`);
  return faults;
}
