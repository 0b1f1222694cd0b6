// @ts-check
import { z } from 'zod';

/**
 * @typedef {object} Setting
 * @property {string} name
 * @property {string} description
 * @property {string[]} readers programs that read the setting
 * @property {boolean} required
 * @property {boolean} secret
 * @property {string} [fallback] default value; absent when there is none
 * @property {string} [values] allowed values, for lists and ranges
 */

/** Returns the user-visible name of a definition's program. */
function programOf(/** @type {import('./load.mjs').Sources['definitions'][number]} */ { app, exported, definition }) {
  if (exported === 'settings') return app;
  return exported === 'migrationSettings' ? 'migrations' : definition.owner;
}

/**
 * Collects every setting once. Programs that share a setting share the entry.
 * @param {Pick<import('./load.mjs').Sources, 'definitions' | 'isSecret'>} sources
 * @returns {Setting[]}
 */
export function collectSettings({ definitions, isSecret }) {
  /** @type {Map<string, Setting>} */
  const settings = new Map();
  for (const source of definitions) {
    for (const [name, schema] of Object.entries(source.definition.fields)) {
      const setting = { name, ...describe(schema), secret: isSecret(schema) };
      const key = JSON.stringify(setting);
      const entry = settings.get(key) ?? { ...setting, readers: [] };
      if (!entry.readers.includes(programOf(source))) entry.readers.push(programOf(source));
      settings.set(key, entry);
    }
  }
  return [...settings.values()];
}

function describe(/** @type {import('zod').ZodType} */ schema) {
  const absent = schema.safeParse(undefined);
  return {
    description: schema.description ?? '',
    required: !absent.success,
    fallback: absent.success && absent.data !== undefined ? String(absent.data) : undefined,
    values: valuesOf(schema),
  };
}

function valuesOf(/** @type {import('zod').ZodType} */ schema) {
  const { enum: list, minimum, maximum } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (list) return list.join(', ');
  return minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
    ? `${minimum} to ${maximum}`
    : undefined;
}

/**
 * Groups the settings by section: first the shared ones, then each program's own.
 * @param {Setting[]} settings
 * @returns {{ title: string, settings: Setting[] }[]}
 */
export function sectionsOf(settings) {
  const shared = settings.filter(({ readers }) => readers.length > 1);
  const own = settings.filter(({ readers }) => readers.length === 1);
  const programs = [...new Set(own.map(({ readers }) => String(readers[0])))];
  return [
    { title: 'several programs', settings: shared },
    ...programs.map((program) => ({ title: program, settings: own.filter(({ readers }) => readers[0] === program) })),
  ];
}
