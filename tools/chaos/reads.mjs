// @ts-check

/** @typedef {{ name: string, in: string, required?: boolean }} Parameter */
/** @typedef {{ paths: Record<string, { get?: { parameters?: Parameter[] } }> }} Description an OpenAPI description */

/**
 * Returns the GET paths of an API that can be called with known values.
 * @param {Description} description
 * @param {Record<string, Record<string, string>>} values path parameters by path; a path is omitted unless all its
 * parameters have values
 * @returns {string[]} paths with their parameters filled in
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
