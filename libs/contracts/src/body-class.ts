import {
  getMetadataStorage,
  type ValidationArguments,
  ValidationTypes,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { propertyDocsOf } from './body-docs';
import { type TransformValue, transformOfProperty, type TypeOf, typeOfProperty } from './body-values';
import type { BodyClass } from './message-contract';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Message = string | ((args: ValidationArguments) => string) | undefined;

/** Returns only the properties that the body class declares. For data of another version, which may have more. */
export function declaredOf<T extends object>(type: BodyClass<T>, source: T): T {
  const names = propertiesOf(type).map(({ name }) => name as keyof T);
  return Object.fromEntries(names.filter((name) => name in source).map((name) => [name, source[name]])) as T;
}

/** Constraint on a property. */
export interface BodyRule {
  /** Name of the constraint, for example `maxLength`. */
  name: string;
  /** True to check each element of a list instead of the list. */
  each: boolean;
  constraints: readonly unknown[];
  validate: ValidatorConstraintInterface['validate'];
  message: Message;
}

/** Rules that the decorators of a body class declare for a property. */
export interface BodyProperty {
  name: string;
  /** Alternative name that callers may use. */
  alias: string | undefined;
  /** Conditions of checking the property at all (`IsOptional`, `ValidateIf`); all must hold. */
  conditions: readonly ((body: object, value: unknown) => boolean)[];
  rules: readonly BodyRule[];
  /** Maximum elements of a list. The elements of a longer list are not checked: it is rejected as a whole. */
  maxElements: number;
  /** Class of a nested object, or of each one in a list; undefined for a value that is accepted unchanged. */
  typeOf: TypeOf | undefined;
  /** Rule that a nested object is an object; undefined if none is nested. */
  nested: BodyRule | undefined;
  transform: TransformValue | undefined;
}

const MAX_ELEMENTS_FOR_OBJECT = 100;

const properties = new Map<BodyClass, readonly BodyProperty[]>();

/**
 * Returns the properties that a body class and its parents declare, in the order of their decorators.
 * @throws Error for an unknown decorator
 */
export function propertiesOf(type: BodyClass): readonly BodyProperty[] {
  const known = properties.get(type);
  if (known) return known;
  const storage = getMetadataStorage();
  const groups = storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', false, false));
  const read = Object.entries(groups).map(([name, metadata]) => propertyOf(type, name, metadata));
  properties.set(type, read);
  return read;
}

function propertyOf(type: BodyClass, name: string, metadata: readonly Metadata[]): BodyProperty {
  const ofKind = (kind: string): Metadata[] => metadata.filter((one) => one.type === kind);
  const rules = ofKind(ValidationTypes.CUSTOM_VALIDATION).map((one) => ruleOf(one));
  const [nested] = ofKind(ValidationTypes.NESTED_VALIDATION);
  const conditions = ofKind(ValidationTypes.CONDITIONAL_VALIDATION);
  const typeOf = typeOfProperty(type, name);
  const understood = rules.length + conditions.length + (nested ? 1 : 0) + ofKind(ValidationTypes.WHITELIST).length;
  if (understood !== metadata.length || (nested && !typeOf))
    throw new Error(`${type.name}.${name} has a decorator that parseBody does not know`);
  return {
    name,
    alias: propertyDocsOf(type, name).alias,
    conditions: conditions.map((one) => one.constraints[0] as BodyProperty['conditions'][number]),
    rules,
    maxElements: maxElementsOf(rules),
    typeOf,
    nested: nested && { name: nested.type, each: false, constraints: [], validate: isObject, message: nested.message },
    transform: transformOfProperty(type, name),
  };
}

/** A list in place of an object is rejected anyway. */
function maxElementsOf(rules: readonly BodyRule[]): number {
  if (rules.some((rule) => rule.name === 'isObject' && !rule.each)) return MAX_ELEMENTS_FOR_OBJECT;
  const [bound] = rules.filter((rule) => rule.name === 'arrayMaxSize');
  return bound ? Number(bound.constraints[0]) : Infinity;
}

function ruleOf({ constraintCls, constraints, each, message, validateIf }: Metadata): BodyRule {
  const [constraint, ...others] = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (!constraint || others.length > 0 || constraint.async || validateIf)
    throw new Error('parseBody knows plain constraints only');
  const { instance, name } = constraint;
  return {
    name,
    each,
    constraints: constraints ?? [],
    validate: (value, args) => instance.validate(value, args),
    message: message ?? ((args) => instance.defaultMessage?.(args) ?? ''),
  };
}

/** Checks for an object or a list of objects. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Returns the message of a rule for an invalid value, with placeholders replaced as class-validator does. */
export function messageOf({ message, constraints }: BodyRule, args: ValidationArguments): string {
  const text = typeof message === 'function' ? message(args) : (message ?? '');
  const filled = constraints.reduce<string>(
    (sofar, constraint, index) => sofar.replaceAll(`$constraint${index + 1}`, () => textOf(constraint)),
    text,
  );
  return filled.replaceAll('$property', () => args.property).replaceAll('$target', () => args.targetName);
}

function textOf(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}
