import type { ServiceName } from './services';

/** Class that describes a message body with class-validator decorators. */
export type BodyClass<T extends object = object> = new () => T;

/**
 * A request to one service whose caller waits for the reply. RabbitMQ never stores it; a lost reply is an error. The
 * owner's method with `@CommandHandler` handles it. Its method in `libs/service-clients` documents the errors that it
 * may reply with.
 */
export interface CommandContract<Request extends object = object, Response extends object = object> {
  readonly kind: 'command';
  readonly name: string;
  readonly owner: ServiceName;
  /** Services that may send it; RabbitMQ rejects it from other logins. */
  readonly callers: readonly ServiceName[];
  readonly description: string;
  readonly request: BodyClass<Request>;
  readonly response: BodyClass<Response>;
  /**
   * True if it has visible effects. If the reply is missing, the caller gets an unknown outcome for such a command, and
   * an unavailable service for others.
   */
  readonly changes: boolean;
  /** Timeout of the reply in milliseconds, from the time when a process of the owner accepts the command. */
  readonly timeoutMs: number;
  /**
   * Maximum size of its request as JSON, in bytes. A larger one is not sent; a process accepts fewer large ones at a
   * time.
   */
  readonly maxBytes: number;
  /** Prefetch per process; defaults to the setting of the service. */
  readonly prefetch?: number;
  /**
   * True to combine the commands that a process sends in one event loop iteration into one broker message, for commands
   * in bulk. Each still has its own span, slot and reply. Sent separately when absent.
   */
  readonly grouped?: boolean;
  /**
   * Detects a request with a secret, such as a one-time code: it is encrypted in transit, since the broker may write it
   * to disk, and it is never grouped. No request has a secret when absent.
   */
  hasSecret?(request: Request): boolean;
  readonly sample: { readonly request: Request; readonly response: Response };
}

/** Durable task for one service, delivered at least once. */
export interface TaskContract<Body extends object = object> {
  readonly kind: 'task';
  readonly name: string;
  readonly owner: ServiceName;
  /** Services that may enqueue it; the broker rejects it from other logins. */
  readonly senders: readonly ServiceName[];
  readonly description: string;
  readonly body: BodyClass<Body>;
  /** Delays that a sender may choose, in seconds; each one is a wait queue. */
  readonly delaysSeconds: readonly number[];
  /**
   * Maximum size of its body as JSON, in bytes, which its senders ensure. A process accepts fewer large ones at a time.
   */
  readonly maxBytes: number;
  /** Prefetch per process; defaults to the setting of the service. */
  readonly prefetch?: number;
  readonly sample: Body;
}

/**
 * Event for any number of services, delivered at least once to each consumer, and broadcast to every listening process.
 */
export interface EventContract<Body extends object = object> {
  readonly kind: 'event';
  readonly name: string;
  readonly producer: ServiceName;
  /** Services that publish it besides its producer; none when absent. */
  readonly alsoPublishedBy?: readonly ServiceName[];
  /** Services of which one process receives each event, from a durable queue. */
  readonly consumers: readonly ServiceName[];
  /**
   * Services of which every connected process receives it, to update its memory. Nothing is queued for a disconnected
   * process; when it reconnects, it is notified that it may have missed some (`Broker.onBroadcastsMissed`).
   */
  readonly broadcastTo?: readonly ServiceName[];
  /**
   * Maximum size of its body as JSON, in bytes, which its producers ensure. A process accepts fewer large ones at a
   * time.
   */
  readonly maxBytes: number;
  /** Prefetch per process for a handler that batches them; defaults to the setting of the service. */
  readonly prefetch?: number;
  readonly description: string;
  readonly body: BodyClass<Body>;
  readonly sample: Body;
}

export type MessageContract = CommandContract | TaskContract | EventContract;

/** Maximum size of requests with ids and times only; a low limit leaves room for larger commands in a process. */
export const SMALL_COMMAND_BYTES = 512;
/** Default maximum size of the request of a command: names, ids and filters. */
const COMMAND_BYTES = 4_096;
/** Default maximum size of the body of a task or event. */
const MESSAGE_BYTES = 16_384;
/**
 * Maximum size of the values of one template message as JSON: 32,768 characters of three bytes. The upstream platform
 * sends much shorter texts, about 1,024 characters including values.
 */
export const TEMPLATE_VALUES_MAX_BYTES = 98_304;
/** Maximum size of a command or task with the content of one message. */
export const CONTENT_BYTES = 114_688;
/** Maximum size of a list in a command, task or event; a longer one is split into parts. */
export const PART_BYTES = 262_144;
/** Maximum size of an event with updates of the upstream platform, or derived from one of them. */
export const UPDATES_EVENT_BYTES = 131_072;
/**
 * Maximum size of a command with rows of a job: the content of a message, a part of the rows, and a thousand plain
 * rows.
 */
export const ROWS_COMMAND_BYTES = 1_048_576;

/**
 * Declares a command. Types are inferred from the two classes. By default only the gateway may send it, and its request
 * has at most 4 KB.
 */
export function command<Request extends object, Response extends object>(
  contract: Omit<CommandContract<Request, Response>, 'kind' | 'callers' | 'maxBytes'> &
    Partial<Pick<CommandContract, 'callers' | 'maxBytes'>>,
): CommandContract<Request, Response> {
  return { kind: 'command', callers: ['gateway'], maxBytes: COMMAND_BYTES, ...contract };
}

/** Declares a task. By default only its owner may enqueue it, and its body has at most 16 KB. */
export function task<Body extends object>(
  contract: Omit<TaskContract<Body>, 'kind' | 'senders' | 'maxBytes'> &
    Partial<Pick<TaskContract, 'senders' | 'maxBytes'>>,
): TaskContract<Body> {
  return { kind: 'task', senders: [contract.owner], maxBytes: MESSAGE_BYTES, ...contract };
}

/** Declares an event. By default its body has at most 16 KB. */
export function event<Body extends object>(
  contract: Omit<EventContract<Body>, 'kind' | 'maxBytes'> & Partial<Pick<EventContract, 'maxBytes'>>,
): EventContract<Body> {
  return { kind: 'event', maxBytes: MESSAGE_BYTES, ...contract };
}

/**
 * Serializes the body of a task or event.
 * @throws Error when it exceeds the limit of the contract: its producer has to limit or split the content
 */
export function bodyJson<Body extends object>(
  { name, maxBytes }: TaskContract<Body> | EventContract<Body>,
  body: Body,
): string {
  const json = JSON.stringify(body);
  // A UTF-16 unit takes at most three bytes.
  if (json.length * 3 > maxBytes && Buffer.byteLength(json) > maxBytes)
    throw new Error(`${name} takes more than ${maxBytes} bytes`);
  return json;
}
