// @ts-check
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';

/** Words that only this project used, each with the common word. CONTRIBUTING has the rules for texts. */
const FLAGGED = [
  [/\b(?:whoever|whomever|whosoever)\b/i, 'the caller, the client, the operator'],
  [/\bsomebody\b/i, 'a caller, a process, an operator'],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\bfor good\b/i, 'permanently'],
  [/\bonce more\b/i, 'again'],
  [/(?<!opt-)\bin words\b/i, 'human-readable'],
  [/\b(?:hand|hands|handed|handing) over\b/i, 'submit, deliver'],
  [/\b(?:give|gives|gave|given) back\b/i, 'release, requeue, return'],
  [/\bstand-ins?\b/i, 'fake'],
  [/\bfault commands?\b/i, 'chaos test'],
  [/\bpromises? \d/i, 'guarantee'],
  [/\b(?:is|are|was|were|be|been) told\b(?! apart)/i, 'is notified, receives'],
  [/\bthe very\b/i, 'the same'],
];
/** Matches a line of prose: a comment, a test title, or a line of a page. */
const PROSE = /^\s*(?:\/\/|\/?\*|#|<!--)|\b(?:describe|it|test)(?:\.\w+)*(?:\(.*\))?\(\s*['"`]/;

/**
 * Files to skip. Published releases in the changelog must not change, and a comment in a broker's configuration
 * restarts its nodes.
 */
const IGNORED = ['CHANGELOG.md', 'k8s/overlays/production/rabbitmq-cluster.yaml', 'tools/test/plain-english.spec.mjs'];

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md', '*.yaml'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !IGNORED.includes(file));

test('comments, titles and pages use common technical terms', () => {
  expect(files.flatMap((file) => problemsOf(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

test.each([
  ['a.ts', '// Whoever calls it', 'a.ts:1: "Whoever": write the caller, the client, the operator'],
  ['a.ts', "it('is given back', () => {", 'a.ts:1: "given back": write release, requeue, return'],
  ['a.md', 'It comes by itself.', 'a.md:1: "by itself": write automatically'],
])('reports a flagged word in %s: %s', (file, text, problem) => expect(problemsOf(file, text)).toEqual([problem]));

test('ignores flagged words in code', () => expect(problemsOf('a.ts', 'const whoever = atOnce;')).toEqual([]));

/** Lists the flagged words in the prose of a file. */
function problemsOf(/** @type {string} */ file, /** @type {string} */ text) {
  return text.split('\n').flatMap((line, index) => {
    if (!file.endsWith('.md') && !PROSE.test(line)) return [];
    return FLAGGED.flatMap(([word, instead]) => {
      const found = /** @type {RegExp} */ (word).exec(line);
      return found ? [`${file}:${index + 1}: "${found[0]}": write ${instead}`] : [];
    });
  });
}
