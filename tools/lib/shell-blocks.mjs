// @ts-check

/** Returns the shell blocks of a Markdown page, without the indentation of an enclosing list. */
export function shellBlocks(/** @type {string} */ text) {
  return [...text.matchAll(/^( *)```sh\n([^]*?)^ *```$/gm)].map(([, margin = '', block = '']) =>
    block.replaceAll(new RegExp(`^${margin}`, 'gm'), ''),
  );
}
