import type { Schemas } from '../../api/client';
import type { Tone } from '../../components/display';
import { eventNameOf } from './shared/webhook-event-parts';

export type Kind = Schemas['WebhookEvent']['kind'];
export type State = Schemas['WebhookDelivery']['state'];
type Choices = readonly (readonly [value: string, text: string])[];

export const KINDS: readonly (readonly [Kind, string])[] = [
  ['message', 'Incoming messages'],
  ['message_status', 'Message statuses'],
  ['template_status', 'Template changes'],
  ['phone_number_quality', 'Number quality'],
  ['job_completed', 'Completed jobs'],
  ['job_paused', 'Paused jobs'],
  ['job_failed', 'Failed jobs'],
  ['message_edited', 'Edited messages'],
  ['message_deleted', 'Deleted messages'],
  ['contact_changed', 'Customer number changes'],
  ['call', 'Calls from customers'],
  ['account_notice', 'Business account notices'],
  ['message_held', 'Messages held by the platform'],
  ['message_echo', 'Messages from the WhatsApp Business app'],
];

/** Events to filter by: each kind, and each status that messages report. */
export const EVENT_CHOICES: readonly string[] = KINDS.flatMap(([kind]) =>
  kind === 'message_status'
    ? [kind, ...['sent', 'delivered', 'read', 'failed'].map((status) => eventNameOf({ kind, status }))]
    : [kind],
);

/** Splits an event of `EVENT_CHOICES` into the filters of the log. */
export function filtersOf(event: string | undefined): { kind: string | undefined; reports: string | undefined } {
  const [kind, reports] = event?.split(': ') ?? [];
  return { kind, reports };
}

export const textOf = (kind: Kind): string => KINDS.find(([name]) => name === kind)?.[1] ?? kind;

export const TONES: Record<State, Tone> = { pending: 'info', delivered: 'success', dropped: 'bad' };
export const STATES: readonly (readonly [State, string])[] = [
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['dropped', 'Dropped'],
];

/** Labels and explanations of failed attempts. */
const FAILURES: Record<string, readonly [word: string, sentence: string]> = {
  status: ['HTTP status', 'The endpoint returned a status that does not count as success.'],
  timeout: ['Timeout', 'The endpoint did not respond within 10 seconds.'],
  connect: ['No connection', 'The connection to the endpoint failed.'],
  reset: ['Connection closed', 'The endpoint closed the connection before it responded.'],
  dns: ['DNS', 'The hostname of the endpoint could not be resolved.'],
  tls: ['TLS', 'The endpoint has no valid TLS certificate.'],
  body: ['Invalid response', 'The response was incomplete or not valid HTTP.'],
  blocked: ['Blocked', 'Requests to this address are not allowed.'],
};

export const FAILURE_CHOICES: Choices = Object.entries(FAILURES).map(([name, [word]]) => [name, word]);

export const wordOfFailure = (errorClass: string): string => FAILURES[errorClass]?.[0] ?? errorClass;
export const sentenceOfFailure = (errorClass: string): string | undefined => FAILURES[errorClass]?.[1];

export const shortUrl = (url: string): string => url.replace(/^https?:\/\//, '');

const ATTEMPTS = { standard: 5, extended: 10 };

/** Returns the maximum number of delivery attempts for the endpoint. */
export const attemptsOf = (endpoint: Schemas['WebhookEndpoint'] | undefined): number =>
  ATTEMPTS[endpoint?.retrySchedule ?? 'standard'];
