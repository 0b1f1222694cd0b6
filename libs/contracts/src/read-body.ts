import type { ValidationArguments } from 'class-validator';
import { type BodyProperty, type BodyRule, isObject, messageOf, propertiesOf } from './body-class';
import type { BodyClass } from './message-contract';

/** Maximum reported faults. More would not help the caller and would make the worst bodies the most expensive. */
export const MAX_FAULTS = 100;

/** Value that violates validation rules of its property. */
export interface Fault {
  /** Path of property names and list indexes, joined by dots. */
  field: string;
  value: unknown;
  /** Violated rules, in declaration order; never empty. */
  broken: readonly { name: string; message(): string }[];
}

/**
 * Creates an instance of a body class from parsed JSON, with only the declared properties. The cost depends on the
 * declared properties, whatever else the body contains. Values without a class are copied unchanged.
 */
export function readBody(type: BodyClass, plain: Record<string, unknown>): object {
  const body = new type() as Record<string, unknown>;
  for (const property of propertiesOf(type)) {
    const given = givenName(property, plain);
    if (given !== undefined) body[property.name] = readValue(property, plain, plain[given]);
  }
  return body;
}

/** Returns the name, property name or alias, under which the body has the value; undefined if absent. */
function givenName({ name, alias }: BodyProperty, plain: object): string | undefined {
  if (Object.hasOwn(plain, name)) return name;
  return alias !== undefined && Object.hasOwn(plain, alias) ? alias : undefined;
}

function readValue({ typeOf, transform, maxElements }: BodyProperty, holder: object, given: unknown): unknown {
  const isTooLong = Array.isArray(given) && given.length > maxElements;
  const type = isObject(given) && !isTooLong ? typeOf?.(holder) : undefined;
  const value = type ? readNested(type, given) : given;
  return transform ? transform(value) : value;
}

function readNested(type: BodyClass, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => readNested(type, element));
  return isObject(value) ? readBody(type, value) : value;
}

/** Returns the faults of a body in the order of its properties, up to `MAX_FAULTS`. */
export function faultsOf(body: object): Fault[] {
  const faults: Fault[] = [];
  checkBody(body, '', faults);
  return faults;
}

function checkBody(body: object, path: string, faults: Fault[]): void {
  for (const property of propertiesOf(body.constructor as BodyClass)) {
    if (faults.length >= MAX_FAULTS) return;
    checkProperty(property, body, path + property.name, faults);
  }
}

function checkProperty(property: BodyProperty, body: object, field: string, faults: Fault[]): void {
  const { name, conditions, rules, nested, maxElements } = property;
  const value = (body as Record<string, unknown>)[name];
  if (!conditions.every((holds) => holds(body, value))) return;
  const broken = rules.filter((rule) => !isKept(rule, value, argumentsOf(rule, { body, name, value })));
  if (nested && value !== undefined && !isObject(value)) broken.push(nested);
  addFault(faults, { field, value, broken, body, name });
  if (nested && isObject(value) && !(Array.isArray(value) && value.length > maxElements))
    checkNested(nested, { value, body, name, field }, faults);
}

interface Nested {
  value: object;
  body: object;
  name: string;
  field: string;
}

function checkNested(rule: BodyRule, { value, body, name, field }: Nested, faults: Fault[]): void {
  if (!Array.isArray(value)) return checkBody(value, `${field}.`, faults);
  for (const [index, element] of value.entries()) {
    if (faults.length >= MAX_FAULTS) return;
    const at = `${field}.${index}`;
    if (isObject(element)) checkNested(rule, { value: element, body, name, field: at }, faults);
    else if (element !== undefined) addFault(faults, { field: at, value: element, broken: [rule], body, name });
  }
}

function addFault(
  faults: Fault[],
  {
    field,
    value,
    broken,
    body,
    name,
  }: Omit<Fault, 'broken'> & { broken: readonly BodyRule[]; body: object; name: string },
): void {
  if (broken.length === 0) return;
  const said = broken.map((rule) => ({
    name: rule.name,
    message: () => messageOf(rule, argumentsOf(rule, { body, name, value })),
  }));
  faults.push({ field, value, broken: said });
}

function isKept({ each, validate }: BodyRule, value: unknown, args: ValidationArguments): boolean {
  if (each && Array.isArray(value)) return value.every((element) => validate(element, args) === true);
  return validate(value, args) === true;
}

function argumentsOf(
  { constraints }: BodyRule,
  { body, name, value }: { body: object; name: string; value: unknown },
): ValidationArguments {
  return { targetName: body.constructor.name, property: name, object: body, value, constraints: [...constraints] };
}
