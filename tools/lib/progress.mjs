// @ts-check

const started = Date.now();
/** @type {(line: string) => void} */
let print = (line) => {
  process.stdout.write(`${line}\n`);
};

/** Sends all progress lines somewhere else (a detached start shows them in the terminal it was called from). */
export function printWith(/** @type {(line: string) => void} */ printer) {
  print = printer;
}

/** One line, stamped with the seconds since the program began. */
export function log(/** @type {string} */ text) {
  print(`[${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s] ${text}`);
}

/** Text as it is, without a stamp. */
export function say(/** @type {string} */ text) {
  print(text);
}

/**
 * Announces a step, does it and says how long it took. The work may give a detail to show.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {(result: T) => string | undefined} [detail]
 * @returns {Promise<T>}
 */
export async function step(name, work, detail = () => undefined) {
  log(`… ${name}`);
  const begin = Date.now();
  const result = await work();
  const note = detail(result);
  log(`✓ ${name}${note ? `: ${note}` : ''} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  return result;
}

/** Lines in a frame. Long lines (a command to paste) stand below it, so that copying them takes no frame along. */
export function box(/** @type {string} */ title, /** @type {string[]} */ lines) {
  const width = Math.max(title.length, ...lines.map((line) => line.length)) + 2;
  const row = (/** @type {string} */ text) => `│ ${text.padEnd(width - 1)}│`;
  return [
    `╭${'─'.repeat(width)}╮`,
    row(title),
    `├${'─'.repeat(width)}┤`,
    ...lines.map(row),
    `╰${'─'.repeat(width)}╯`,
  ].join('\n');
}
