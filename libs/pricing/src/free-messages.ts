import type { FreeReason } from '@switchboard/contracts';

/** Time from which the platform charges for messages within the service window. */
const WINDOW_CHARGED_FROM = new Date('2026-10-01T00:00:00Z');

/** Returns true if the platform charges for messages within the service window at this time. */
export function chargesWindow(at: Date): boolean {
  return at >= WINDOW_CHARGED_FROM;
}

/**
 * Returns the reason why a message is free; null if the platform charges for it.
 * @param category pricing category of the platform, such as `utility` or `service`
 */
export function freeReasonOf(
  category: string,
  { at, hasWindow, isEntryPoint }: { at: Date; hasWindow: boolean; isEntryPoint: boolean },
): FreeReason | null {
  if (isEntryPoint) return 'free_entry_point';
  const isFreeInWindow = category === 'service' || (category === 'utility' && hasWindow);
  return isFreeInWindow && !chargesWindow(at) ? 'free_customer_service' : null;
}
