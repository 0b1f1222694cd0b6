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

/** Returns the properties that the body class declares and drops the others, which data of another version may have. */
export function declaredOf<T extends object>(type: BodyClass<T>, source: T): T {
  const names = propertiesOf(type).map(({ name }) => name as keyof T);
  return Object.fromEntries(names.filter((name) => name in source).map((name) => [name, source[name]])) as T;
}

/** Constraint on a property. */
export interface BodyRule {
  /** Name of the constraint, for example `maxLength`. */
  name: string;
  /** True if the rule applies to each element of a list rather than to the list itself. */
  each: boolean;
  constraints: readonly unknown[];
  validate: ValidatorConstraintInterface['validate'];
  message: Message;
}

/** Rules that the decorators of a body class declare for a property. */
export interface BodyProperty {
  name: string;
  /** Alternative name that a request may use for the property. */
  alias: string | undefined;
  /** Conditions (`IsOptional`, `ValidateIf`) for validating the property; all must hold. */
  conditions: readonly ((body: object, value: unknown) => boolean)[];
  rules: readonly BodyRule[];
  /** Maximum elements of a list. A longer list is rejected as a whole, without validating its elements. */
  maxElements: number;
  /** Class of a nested object or of each list element; undefined if the value is copied unchanged. */
  typeOf: TypeOf | undefined;
  /** Rule that a nested value must be an object; undefined for a property without a nested class. */
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

/** Returns a small limit for object properties, for which a list is rejected anyway. */
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

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Formats the error message of a rule for an invalid value, with class-validator's placeholders. */
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
