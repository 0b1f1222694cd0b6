import type { UpstreamNumber } from '@switchboard/upstream';
import { invalidParameter, refusal } from '../graph-error';
import type { JsonObject } from '../json';

const PIN = /^[0-9]{6}$/;
/** Maximum number of calls to register or deregister within three days. Further ones fail with 133016. */
const MAX_CALLS = 10;
const CALLS_WITHIN_MS = 72 * 3_600_000;
/** Maximum number of wrong PINs. Further attempts fail with 133008 until the control API resets the count. */
const MAX_GUESSES = 5;

export interface Registration {
  isRegistered: boolean;
  /** PIN of the two-step verification, set by the first registration. */
  pin?: string;
  wrongGuesses: number;
  /** Times of recent calls to register or deregister, including failed ones. */
  callsAt: number[];
  /** Code with which the next call is rejected. */
  failsWith?: number;
}

interface Registrable {
  registration: Registration;
  graph: UpstreamNumber;
}

export const newRegistration = (isRegistered: boolean): Registration => ({
  isRegistered,
  wrongGuesses: 0,
  callsAt: [],
});

/** Returns the registration fields of the number's object. */
export function showRegistration({ registration, graph }: Registrable, unregistered: string): void {
  graph.status = registration.isRegistered ? 'CONNECTED' : unregistered;
  graph.platform_type = registration.isRegistered ? 'CLOUD_API' : 'NOT_APPLICABLE';
}

/**
 * Handles `POST /{phone-number-id}/register`. A number with a PIN accepts no other PIN, and registering it again
 * changes nothing.
 * @throws GraphError 100, 133005, 133006, 133008, 133016, or the injected code
 */
export function register(number: Registrable, body: JsonObject, nowMs: number): { success: true } {
  const { registration, graph } = number;
  const pin = pinOf(body);
  countCall(registration, nowMs);
  if (!registration.isRegistered && graph.code_verification_status !== 'VERIFIED') throw refusal(133006);
  if (registration.wrongGuesses >= MAX_GUESSES) throw refusal(133008);
  if (registration.pin !== undefined && registration.pin !== pin) {
    registration.wrongGuesses += 1;
    throw refusal(133005);
  }
  Object.assign(registration, { isRegistered: true, pin, wrongGuesses: 0 });
  showRegistration(number, 'DISCONNECTED');
  return { success: true };
}

/**
 * Handles `POST /{phone-number-id}/deregister`, which keeps the PIN. @throws GraphError 133010, 133016, or the injected
 * code
 */
export function deregister(number: Registrable, nowMs: number): { success: true } {
  countCall(number.registration, nowMs);
  if (!number.registration.isRegistered) throw refusal(133010);
  number.registration.isRegistered = false;
  showRegistration(number, 'DISCONNECTED');
  return { success: true };
}

function pinOf({ pin }: JsonObject): string {
  if (pin === undefined || pin === '') throw invalidParameter('The parameter pin is required.');
  if (typeof pin !== 'string' || !PIN.test(pin)) throw invalidParameter('Param pin must be a string of 6 digits.');
  return pin;
}

function countCall(registration: Registration, nowMs: number): void {
  registration.callsAt = registration.callsAt.filter((at) => at > nowMs - CALLS_WITHIN_MS);
  if (registration.callsAt.length >= MAX_CALLS) throw refusal(133016);
  registration.callsAt.push(nowMs);
  const { failsWith } = registration;
  if (failsWith === undefined) return;
  registration.failsWith = undefined;
  throw refusal(failsWith);
}
