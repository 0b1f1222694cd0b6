import { invalidParameter, refusal } from '../graph-error';
import { isObject } from '../json';

const MOST_CONTACTS = 257;

/**
 * Validates a location, whose coordinates may be strings. @throws GraphError 100 or 131009
 * @throws GraphError 100 or 131009 unless it is a valid location; coordinates may be strings
 */
export function checkLocation(given: unknown): void {
  if (!isObject(given)) throw invalidParameter('The parameter location is required.');
  for (const [field, most] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const degrees = given[field];
    if (degrees === undefined || degrees === '')
      throw invalidParameter(`The parameter location['${field}'] is required.`);
    if (!(Math.abs(Number(degrees)) <= most)) throw refusal(131009, `Param location['${field}'] is out of range`);
  }
}

/** @throws GraphError 100 or 131009 */
export function checkContacts(given: unknown): void {
  if (!Array.isArray(given) || given.length === 0) throw invalidParameter('The parameter contacts is required.');
  if (given.length > MOST_CONTACTS) throw refusal(131009, `Contacts count exceeds the maximum of ${MOST_CONTACTS}`);
  for (const contact of given as unknown[]) {
    const name = isObject(contact) ? contact.name : undefined;
    const formatted = isObject(name) ? name.formatted_name : undefined;
    if (typeof formatted !== 'string' || formatted === '')
      throw invalidParameter("The parameter contacts['name']['formatted_name'] is required.");
  }
}

/** @returns the id of the message that the reaction targets @throws GraphError 100 or 131009 */
export function checkReaction(given: unknown): string {
  if (!isObject(given)) throw invalidParameter('The parameter reaction is required.');
  const { message_id: messageId, emoji } = given;
  if (typeof messageId !== 'string' || !messageId.startsWith('wamid.'))
    throw refusal(131009, "Param reaction['message_id'] is not a valid message id");
  if (typeof emoji !== 'string') throw invalidParameter("The parameter reaction['emoji'] is required.");
  // No joined emoji sequence is longer than 40 characters.
  if (emoji.length > 40 || /[\p{L}\p{Z}]/u.test(emoji))
    throw refusal(131009, "Param reaction['emoji'] is not an emoji");
  return messageId;
}
