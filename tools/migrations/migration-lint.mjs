// @ts-check

/**
 * What the version before still runs into while it serves beside the new schema, or what locks a whole table for long.
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
/** Of a table that is made in the same migration nobody has rows yet. */
const INDEX = /\bCREATE\s+(UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)(?:IF\s+NOT\s+EXISTS\s+)?\w+\s+ON\s+(?:ONLY\s+)?(\w+)/gi;
/** Says, in the migration, why it may break a rule: `// contract: no version reads this column since 0.2`. */
const REASON = /\/\/ contract: \S.{10,}/;

/**
 * Looks for what a rollout beside the version before cannot bear (expand, deploy, contract).
 * @param {string} text a migration's source
 * @returns {string[]} one line per fault; none for a migration that gives its reason
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
