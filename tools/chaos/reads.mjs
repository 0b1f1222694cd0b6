// @ts-check

/** @typedef {{ name: string, in: string, required?: boolean }} Parameter */
/** @typedef {{ paths: Record<string, { get?: { parameters?: Parameter[] } }> }} Description of an API, as OpenAPI has it */

/**
 * What an API reads that a caller can name.
 * @param {Description} description
 * @param {Record<string, Record<string, string>>} values what a path needs to be asked, by its parameters. A path whose
 * parameters stand here in part, or not at all, is left out
 * @returns {string[]} paths with their values
 */
export function readsOf({ paths }, values) {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const needed = (get?.parameters ?? []).filter(({ in: place, required }) => place === 'path' || required === true);
    const given = values[path] ?? {};
    if (get === undefined || needed.some(({ name }) => given[name] === undefined)) return [];
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(given[name])));
    const asked = needed.filter(({ in: place }) => place === 'query');
    const query = new URLSearchParams(Object.fromEntries(asked.map(({ name }) => [name, String(given[name])])));
    return [query.size === 0 ? filled : `${filled}?${query}`];
  });
}
