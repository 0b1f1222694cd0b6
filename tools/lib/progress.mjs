// @ts-check

const started = Date.now();
/** @type {(line: string) => void} */
let print = (line) => {
  process.stdout.write(`${line}\n`);
};

/** Redirects all progress lines. A detached start uses this to show them in the terminal that called it. */
export function printWith(/** @type {(line: string) => void} */ printer) {
  print = printer;
}

/** Prints a line with the seconds since the program started. */
export function log(/** @type {string} */ text) {
  print(`[${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s] ${text}`);
}

/** Prints text without a timestamp. */
export function say(/** @type {string} */ text) {
  print(text);
}

/**
 * Announces a step, runs it and prints its duration. `detail` may add text from the result.
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

/**
 * Formats lines in a frame. Long lines, such as a command to paste, follow below the frame, so that copying them does
 * not include it.
 */
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
