// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ROOT } from '../lib/home.mjs';

const FOLDER = 'docs/guides';
/** Matches a marker, together with the code block that an earlier run inserted after it. */
const MARK = /^<!-- code: (\S+) -->\n(?:\n```\w+\n[^]*?\n```\n)?/gm;
/** @type {Record<string, string>} */
const LANGUAGES = { '.mjs': 'js', '.ts': 'ts', '.py': 'python', '.php': 'php' };

/**
 * Inserts into the guides the source file of each marker `<!-- code: <file> -->`, so that readers paste the code that
 * the tests run.
 * @returns {Record<string, string>} texts by file
 */
export function renderGuides() {
  const names = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(
    names.map((name) => {
      const text = readFileSync(join(ROOT, FOLDER, name), 'utf8');
      return [`${FOLDER}/${name}`, text.replace(MARK, (_, /** @type {string} */ file) => withProgram(file))];
    }),
  );
}

function withProgram(/** @type {string} */ file) {
  const program = readFileSync(join(ROOT, file), 'utf8').trimEnd();
  return `<!-- code: ${file} -->\n\n\`\`\`${LANGUAGES[extname(file)] ?? 'text'}\n${program}\n\`\`\`\n`;
}
