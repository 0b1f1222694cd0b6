import settingNames from './setting-names.json';

/** Variables of the image, the shell, Node and the libraries, some of which resemble a setting. */
const FOREIGN = new RegExp(
  `^(${[
    'HOME|HOSTNAME|LANG|PATH|PWD|RES_OPTIONS|SHLVL|TERM|TZ|UV_THREADPOOL_SIZE|YARN_VERSION|_',
    'NODE_(ENV|EXTRA_CA_CERTS|OPTIONS|VERSION)|SSL_CERT_(DIR|FILE)|(ALL|FTP|HTTPS?|NO)_PROXY',
    'OTEL_EXPORTER_OTLP_(CERTIFICATE|CLIENT_CERTIFICATE|CLIENT_KEY|COMPRESSION|HEADERS|TIMEOUT)',
  ].join('|')})$`,
  'i',
);
/**
 * Prefixes of other variables of Node and the libraries. A variable that resembles a setting is reported as misspelt.
 */
const FOREIGN_PREFIX = /^(AWS|LC|NODE|OTEL|SSL)_/i;
/** Maximum edit distance of a suggestion, as a fraction of its length. */
const EDITS_PART = 1 / 4;
const EDITS_MIN = 2;

/** Variable that no program reads, with the setting that was probably meant. */
export interface UnreadSetting {
  name: string;
  suggestion?: string;
}

/** Returns the variables that no program reads. @param known names of all settings of all programs */
export function unreadSettings(variables: readonly string[], known: readonly string[] = settingNames): UnreadSetting[] {
  return variables
    .filter((name) => !known.includes(name) && !FOREIGN.test(name))
    .map((name) => ({ name, ...suggestionFor(name, known) }))
    .filter(({ name, suggestion }) => suggestion !== undefined || !FOREIGN_PREFIX.test(name));
}

function suggestionFor(name: string, known: readonly string[]): { suggestion?: string } {
  const most = Math.max(EDITS_MIN, name.length * EDITS_PART);
  const [nearest] = known
    .map((suggestion) => ({ suggestion, edits: editDistance(name.toUpperCase(), suggestion) }))
    .filter(({ edits }) => edits <= most)
    .sort((one, other) => one.edits - other.edits);
  return nearest ? { suggestion: nearest.suggestion } : {};
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, otherLetter] of [...other].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[j], row[j + 1], row[j]];
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === otherLetter ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
