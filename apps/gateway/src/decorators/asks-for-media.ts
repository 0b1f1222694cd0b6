import { isMediaType } from '@switchboard/contracts';

/**
 * Checks whether an unvalidated body sends a file, by its type or in the header of an interactive message. Sending
 * files requires the plan feature MEDIA (spec §2.3.2).
 */
export function asksForMedia(body: unknown): boolean {
  const type = memberOf(body, 'type');
  if (type !== 'interactive') return isMedia(type);
  return isMedia(memberOf(memberOf(memberOf(body, 'interactive'), 'header'), 'type'));
}

const isMedia = (type: unknown): boolean => typeof type === 'string' && isMediaType(type);

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
