// @ts-check
import { isDeepStrictEqual } from 'node:util';

/** @typedef {import('../generate/load.mjs').Contracts} Contracts */
/** @typedef {Contracts['ALL_CONTRACTS'][number]} Contract */
/** @typedef {{ name: string, each: boolean, constraints: unknown[] }} Rule */
/** @typedef {{ isOptional: boolean, alias?: string, rules: Rule[], nested?: Shape }} Field */
/** @typedef {{ [field: string]: Field }} Shape fields of a body class */
/** @typedef {{ shape: Shape, sample: unknown }} FrozenBody */
/**
 * @typedef {{ release: string, kind: string, bodies: Record<string, FrozenBody> }} FrozenContract a contract as it was
 * in a release
 */

/**
 * Returns the bodies of a contract, of which a command has two.
 * @returns {Record<string, { type: new () => object, sample: object }>}
 */
export function bodiesOf(/** @type {Contract} */ contract) {
  return contract.kind === 'command'
    ? {
        request: { type: contract.request, sample: contract.sample.request },
        response: { type: contract.response, sample: contract.sample.response },
      }
    : { body: { type: contract.body, sample: contract.sample } };
}

/** Converts a contract to the plain JSON in which it is frozen. @returns {FrozenContract} */
export function freezeContract(
  /** @type {Contract} */ contract,
  /** @type {Contracts} */ contracts,
  /** @type {string} */ release,
) {
  const bodies = Object.entries(bodiesOf(contract)).map(([name, { type, sample }]) => [
    name,
    { shape: shapeOf(type, contracts), sample },
  ]);
  return JSON.parse(JSON.stringify({ release, kind: contract.kind, bodies: Object.fromEntries(bodies) }));
}

/**
 * Returns the incompatibilities between services of a frozen release and current ones, which run concurrently during a
 * rollout. Neither may require a field that the other omits, or reject a value that the other sends. A field may be
 * added if it is optional, and a constraint may be relaxed. Any other change needs a new version of the contract.
 * @param {FrozenContract} frozen
 * @param {Contract | undefined} today
 * @param {Contracts} contracts
 * @returns {string[]} one line per incompatibility
 */
export function contractFaults(frozen, today, contracts) {
  if (today === undefined) return [`is gone since ${frozen.release}`];
  if (today.kind !== frozen.kind) return [`was a ${frozen.kind} and is a ${today.kind}`];
  const bodies = bodiesOf(today);
  return Object.entries(frozen.bodies).flatMap(([name, { shape, sample }]) => {
    const { type } = bodies[name] ?? {};
    if (type === undefined) return [`${name} is gone`];
    const now = JSON.parse(JSON.stringify(shapeOf(type, contracts)));
    return [...shapeFaults(shape, now, name), ...sampleFaults(type, sample, { name, contracts })];
  });
}

/** @returns {string[]} */
function sampleFaults(
  /** @type {new () => object} */ type,
  /** @type {unknown} */ sample,
  /** @type {{ name: string, contracts: Contracts }} */ { name, contracts },
) {
  try {
    const parsed = JSON.parse(JSON.stringify(contracts.parseBody(type, sample)));
    return isDeepStrictEqual(parsed, sample) ? [] : [`${name}: the sample of then loses fields`];
  } catch (error) {
    return [`${name}: the sample of then is refused: ${error instanceof Error ? error.message : error}`];
  }
}

/** @returns {string[]} */
export function shapeFaults(/** @type {Shape} */ frozen, /** @type {Shape} */ today, /** @type {string} */ at) {
  const removed = Object.keys(frozen).filter((name) => !(name in today));
  const demanded = Object.entries(today).filter(([name, { isOptional }]) => !(name in frozen) && !isOptional);
  return [
    ...removed.map((name) => `${at}.${name} is gone`),
    ...demanded.map(([name]) => `${at}.${name} is new and required`),
    ...Object.entries(frozen).flatMap(([name, field]) => {
      const now = today[name];
      return now ? fieldFaults(field, now, `${at}.${name}`) : [];
    }),
  ];
}

/** @returns {string[]} */
function fieldFaults(/** @type {Field} */ frozen, /** @type {Field} */ today, /** @type {string} */ at) {
  const faults = today.rules.flatMap((rule) => ruleFaults(frozen.rules, rule, at));
  if (frozen.isOptional && !today.isOptional) faults.push(`${at} is required, and was not`);
  if (!frozen.isOptional && today.isOptional) faults.push(`${at} may be left out, and who reads it demands it`);
  if (frozen.alias !== undefined && frozen.alias !== today.alias) faults.push(`${at} is not taken as ${frozen.alias}`);
  if (Boolean(frozen.nested) !== Boolean(today.nested)) faults.push(`${at} is another kind of value`);
  if (frozen.nested && today.nested) faults.push(...shapeFaults(frozen.nested, today.nested, at));
  return faults;
}

/** Rules by the earlier rule whose values they all accept. */
const WIDENED = new Map([['isPhoneNumber', 'isRecipient']]);

/** Requires that a current rule existed in the release or is less strict. @returns {string[]} */
function ruleFaults(/** @type {Rule[]} */ frozen, /** @type {Rule} */ rule, /** @type {string} */ at) {
  const before = frozen.filter(({ name, each }) => name === rule.name && each === rule.each);
  if (frozen.some(({ name, each }) => WIDENED.get(name) === rule.name && each === rule.each)) return [];
  if (before.some((one) => isDeepStrictEqual(one.constraints, rule.constraints) || isWider(rule, one))) return [];
  const [one] = before;
  const is = JSON.stringify(rule.constraints);
  return [
    one
      ? `${at}: ${rule.name} is ${is}, and was ${JSON.stringify(one.constraints)}`
      : `${at}: ${rule.name} ${is} is demanded, and was not`,
  ];
}

/** Returns true when a rule accepts everything that another one of the same name accepts. */
function isWider(/** @type {Rule} */ { name, constraints: [now] }, /** @type {Rule} */ { constraints: [before] }) {
  if (Array.isArray(now) && Array.isArray(before)) return before.every((value) => now.includes(value));
  if (typeof now !== 'number' || typeof before !== 'number') return false;
  return (/max/i.test(name) && now >= before) || (/min/i.test(name) && now <= before);
}

/** @returns {Shape} */
function shapeOf(/** @type {new () => object} */ type, /** @type {Contracts} */ contracts, seen = new Set()) {
  // A recursive class was already recorded at an outer level.
  if (seen.has(type)) return {};
  const fields = contracts.propertiesOf(type).map(({ name, alias, conditions, rules, typeOf }) => {
    const nested = nestedClass(typeOf);
    return [
      name,
      {
        isOptional: conditions.length > 0,
        ...(alias !== undefined && { alias }),
        rules: rules.map((rule) => ({ name: rule.name, each: rule.each, constraints: rule.constraints.map(plain) })),
        ...(nested && { nested: shapeOf(nested, contracts, new Set([...seen, type])) }),
      },
    ];
  });
  return Object.fromEntries(fields);
}

/**
 * Returns the class of a nested value, or undefined when the class depends on the value.
 * @returns {(new () => object) | undefined}
 */
function nestedClass(/** @type {ReturnType<Contracts['propertiesOf']>[number]['typeOf']} */ typeOf) {
  try {
    return typeOf?.(/** @type {Parameters<typeof typeOf>[0]} */ ({ newObject: {}, object: {}, property: '' }));
  } catch {
    return undefined;
  }
}

/** Converts a rule's constraint to JSON. */
function plain(/** @type {unknown} */ constraint) {
  return constraint instanceof RegExp ? String(constraint) : constraint;
}
