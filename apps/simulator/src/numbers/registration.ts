import type { UpstreamNumber } from '@switchboard/upstream';
import { invalidParameter, refusal } from '../graph-error';
import type { JsonObject } from '../json';

const PIN = /^[0-9]{6}$/;
/** So many calls of both kinds within three days; then 133016. */
const MAX_CALLS = 10;
const CALLS_WITHIN_MS = 72 * 3_600_000;
/** So many wrong PINs; then 133008, until the simulator is told otherwise. */
const MAX_GUESSES = 5;

/** Where a number stands with the platform. */
export interface Registration {
  isRegistered: boolean;
  /** Its two-step verification; the first registration sets it. */
  pin?: string;
  wrongGuesses: number;
  /** When it was registered or deregistered lately, or somebody tried. */
  callsAt: number[];
  /** The next call is refused with this code. */
  failsWith?: number;
}

/** A number, as far as its registration goes. */
interface Registrable {
  registration: Registration;
  graph: UpstreamNumber;
}

export const newRegistration = (isRegistered: boolean): Registration => ({
  isRegistered,
  wrongGuesses: 0,
  callsAt: [],
});

/** What the number's object shows of its registration. */
export function showRegistration({ registration, graph }: Registrable, unregistered: string): void {
  graph.status = registration.isRegistered ? 'CONNECTED' : unregistered;
  graph.platform_type = registration.isRegistered ? 'CLOUD_API' : 'NOT_APPLICABLE';
}

/**
 * `POST /{phone-number-id}/register`. A number that has a PIN takes no other; registering it again changes nothing.
 * @throws GraphError 100, 133005, 133006, 133008, 133016, or what was asked for
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

/** `POST /{phone-number-id}/deregister`; the PIN stays. @throws GraphError 133010, 133016, or what was asked for */
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
