import type { DataChange } from './messaging/data-changes.v1';
import type { ServiceName } from './services';

/** Class that describes a message body with validation decorators. */
export type BodyClass<T extends object = object> = new () => T;

/**
 * Request to one service whose caller waits for the reply. RabbitMQ does not persist it; a lost reply is an error. The
 * owner handles it in a method with `@CommandHandler`. The method in `libs/service-clients` documents the errors that
 * the owner may reply with.
 */
export interface CommandContract<Request extends object = object, Response extends object = object> {
  readonly kind: 'command';
  readonly name: string;
  readonly owner: ServiceName;
  /** Services that may send the command; RabbitMQ rejects it from other logins. */
  readonly callers: readonly ServiceName[];
  readonly description: string;
  readonly request: BodyClass<Request>;
  readonly response: BodyClass<Response>;
  /**
   * True if the command has side effects. If its reply is missing, the caller gets the error for an unknown outcome.
   * Other commands fail as unavailable.
   */
  readonly changes: boolean;
  /** Timeout of the reply in milliseconds, counted from the owner accepting the command. */
  readonly timeoutMs: number;
  /**
   * Maximum size of the request as JSON, in bytes. Larger requests are not sent. A process accepts fewer large requests
   * at a time.
   */
  readonly maxBytes: number;
  /** Prefetch per process; defaults to the setting of the service. */
  readonly prefetch?: number;
  /**
   * True to combine the commands that a process sends within one event loop iteration into one broker message, for bulk
   * sending. Each command keeps its own span, slot and reply. Defaults to false.
   */
  readonly grouped?: boolean;
  /**
   * Detects a request with a secret, such as a one-time code. Such a request is encrypted in transit, since the broker
   * may write it to disk, and is never grouped. If absent, no request contains a secret.
   */
  hasSecret?(request: Request): boolean;
  readonly sample: { readonly request: Request; readonly response: Response };
}

/** Durable task for one service, delivered at least once. */
export interface TaskContract<Body extends object = object> {
  readonly kind: 'task';
  readonly name: string;
  readonly owner: ServiceName;
  /** Services that may enqueue the task; the broker rejects it from other logins. */
  readonly senders: readonly ServiceName[];
  readonly description: string;
  readonly body: BodyClass<Body>;
  /** Delays in seconds that a sender may choose; each has its own wait queue. */
  readonly delaysSeconds: readonly number[];
  /**
   * Maximum size of the body as JSON, in bytes; senders must not exceed it. A process accepts fewer large tasks at a
   * time.
   */
  readonly maxBytes: number;
  /** Prefetch per process; defaults to the setting of the service. */
  readonly prefetch?: number;
  readonly sample: Body;
}

/** Event delivered at least once to each consuming service, or broadcast to every listening process. */
export interface EventContract<Body extends object = object> {
  readonly kind: 'event';
  readonly name: string;
  readonly producer: ServiceName;
  /** Services other than the producer that publish the event. */
  readonly alsoPublishedBy?: readonly ServiceName[];
  /** Services that receive the event from a durable queue, each in one of its processes. */
  readonly consumers: readonly ServiceName[];
  /**
   * Services whose connected processes all receive the event, for example to update a cache. Nothing is queued for a
   * disconnected process; after reconnecting it is notified that it may have missed events
   * (`Broker.onBroadcastsMissed`). Such an event has no consumers: a listener's queue would receive it even if the
   * queue of a consumer were missing, and the event would count as delivered.
   */
  readonly broadcastTo?: readonly ServiceName[];
  /** Returns the data that the event changed. Each publisher broadcasts it to the gateways as `dataChangedV1`. */
  changes?(body: Body): DataChange[];
  /**
   * Maximum size of the body as JSON, in bytes; producers must not exceed it. A process accepts fewer large events at a
   * time.
   */
  readonly maxBytes: number;
  /** Prefetch per process, for a handler that batches events; defaults to the setting of the service. */
  readonly prefetch?: number;
  readonly description: string;
  readonly body: BodyClass<Body>;
  readonly sample: Body;
}

export type MessageContract = CommandContract | TaskContract | EventContract;

/**
 * Maximum size of requests that contain only ids and times. A low limit leaves room for larger commands in a process.
 */
export const SMALL_COMMAND_BYTES = 512;
/** Default maximum size of a command's request: names, ids and filters. */
const COMMAND_BYTES = 4_096;
/** Default maximum size of the body of a task or event. */
const MESSAGE_BYTES = 16_384;
/**
 * Maximum size of the values of one template message as JSON: 32,768 characters of three bytes. Upstream accepts much
 * less, about 1,024 characters of text including values.
 */
export const TEMPLATE_VALUES_MAX_BYTES = 98_304;
/** Maximum size of a command or task with the content of one message. */
export const CONTENT_BYTES = 114_688;
/** Maximum size of a list in a command, task or event. Longer lists are split into parts. */
export const PART_BYTES = 262_144;
/** Maximum size of an event that contains upstream updates or is derived from one of them. */
export const UPDATES_EVENT_BYTES = 131_072;
/**
 * Maximum size of a command with rows of a job: a message's content, one part of the rows, and a thousand plain rows.
 */
export const ROWS_COMMAND_BYTES = 1_048_576;

/**
 * Declares a command and infers its types from the two classes. By default only the gateway may send it, and its
 * request is limited to 4 KB.
 */
export function command<Request extends object, Response extends object>(
  contract: Omit<CommandContract<Request, Response>, 'kind' | 'callers' | 'maxBytes'> &
    Partial<Pick<CommandContract, 'callers' | 'maxBytes'>>,
): CommandContract<Request, Response> {
  return { kind: 'command', callers: ['gateway'], maxBytes: COMMAND_BYTES, ...contract };
}

/** Declares a task. By default only its owner may enqueue it, and its body is limited to 16 KB. */
export function task<Body extends object>(
  contract: Omit<TaskContract<Body>, 'kind' | 'senders' | 'maxBytes'> &
    Partial<Pick<TaskContract, 'senders' | 'maxBytes'>>,
): TaskContract<Body> {
  return { kind: 'task', senders: [contract.owner], maxBytes: MESSAGE_BYTES, ...contract };
}

/** Declares an event. By default its body is limited to 16 KB. */
export function event<Body extends object>(
  contract: Omit<EventContract<Body>, 'kind' | 'maxBytes'> & Partial<Pick<EventContract, 'maxBytes'>>,
): EventContract<Body> {
  return { kind: 'event', maxBytes: MESSAGE_BYTES, ...contract };
}

/**
 * Serializes the body of a task or event.
 * @throws Error if the body exceeds the contract's limit, which its producer must prevent
 */
export function bodyJson<Body extends object>(
  { name, maxBytes }: TaskContract<Body> | EventContract<Body>,
  body: Body,
): string {
  const json = JSON.stringify(body);
  // A UTF-16 unit takes at most three bytes in UTF-8.
  if (json.length * 3 > maxBytes && Buffer.byteLength(json) > maxBytes)
    throw new Error(`${name} takes more than ${maxBytes} bytes`);
  return json;
}
