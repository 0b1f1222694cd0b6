import type { UpstreamTemplateComponent } from '@switchboard/upstream';
import { invalidParameter, refusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import type { StoredTemplate } from './seed';

const VARIABLE = /\{\{\s*([^{}]+?)\s*\}\}/g;
// Matches a line break, a tab or more than four consecutive spaces.
const FORBIDDEN_TEXT = /[\n\r\t]| {5,}/;

/** Returns the distinct variables of a text in the order of their first use, without braces. */
export function variablesOf(text: string | undefined): string[] {
  return [...new Set([...(text ?? '').matchAll(VARIABLE)].map(([, name]) => name!))];
}

export function withoutVariables(text: string): string {
  return text.replace(VARIABLE, '');
}

export const componentOf = (template: StoredTemplate, type: string): UpstreamTemplateComponent | undefined =>
  template.components.find((component) => component.type === type);

/** Returns the parameters of a component of a send, or an empty list when the component is absent. */
export function parametersOf(component: JsonObject | undefined): JsonObject[] {
  const parameters = component?.parameters;
  return Array.isArray(parameters) ? parameters.filter(isObject) : [];
}

/** @throws GraphError 132000 unless the number of parameters matches the template */
export function checkCount(where: string, given: number, expected: number): void {
  if (given === expected) return;
  throw refusal(
    132000,
    `${where}: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
  );
}

/** Creates a GraphError 132012 for a parameter of the wrong type. */
export function mismatch(where: string, expected: string, received: unknown): Error {
  const name = typeof received === 'string' && received ? received.toUpperCase() : 'UNKNOWN';
  return refusal(132012, `${where}: Format mismatch, expected ${expected}, received ${name}`);
}

/**
 * Reads a parameter that must be text.
 * @throws GraphError 132012, 100, 132018
 */
export function readText(where: string, parameter: JsonObject): string {
  const { type, text } = parameter;
  if (type !== 'text' || typeof text !== 'string') throw mismatch(where, 'TEXT', type);
  return checkCharacters(where, text);
}

/**
 * Reads a body parameter: text, or the fallback of a currency or a date.
 * @throws GraphError 132012, 100, 132018
 */
export function readLocalizable(where: string, parameter: JsonObject): string {
  const { type } = parameter;
  if (type !== 'currency' && type !== 'date_time') return readText(where, parameter);
  const value = parameter[type];
  if (!isObject(value) || typeof value.fallback_value !== 'string')
    throw invalidParameter(`The parameter ${type}['fallback_value'] of ${where} is required.`);
  return checkCharacters(where, value.fallback_value);
}

/**
 * Checks parameter names: a template with named variables needs each name once, and any other template allows no names.
 * @throws GraphError 132012
 */
export function checkNames(
  where: string,
  parameters: JsonObject[],
  { isNamed, variables }: { isNamed: boolean; variables: string[] },
): void {
  const names = parameters.map(({ parameter_name: name }) => name);
  if (!isNamed) {
    if (names.some((name) => name !== undefined))
      throw refusal(132012, `${where}: Parameter name is not expected in a positional template`);
    return;
  }
  const unknown = names.find((name) => typeof name !== 'string' || !variables.includes(name));
  if (names.includes(undefined)) throw refusal(132012, `${where}: Parameter name is missing or empty`);
  if (unknown !== undefined || new Set(names).size < names.length)
    throw refusal(132012, `${where}: Parameter name ${String(unknown ?? names[0])} does not fit the template`);
}

function checkCharacters(where: string, text: string): string {
  if (text === '') throw invalidParameter(`The parameter text of ${where} must not be empty.`);
  if (FORBIDDEN_TEXT.test(text)) {
    throw refusal(132018, `${where}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`);
  }
  return text;
}
