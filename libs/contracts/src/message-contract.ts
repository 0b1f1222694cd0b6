import type { ServiceName } from './services';

/** A class that describes a message body with class-validator decorators. */
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
  /** Services that may send it: RabbitMQ accepts it from no other login. */
  readonly callers: readonly ServiceName[];
  readonly description: string;
  readonly request: BodyClass<Request>;
  readonly response: BodyClass<Response>;
  /**
   * Whether it changes anything that anybody could see. Of such a command a caller that gets no answer is told that the
   * outcome is unknown; of the others, that the service is unavailable.
   */
  readonly changes: boolean;
  /** Timeout of the reply in milliseconds, from the time when a process of the owner accepts the command. */
  readonly timeoutMs: number;
  /** Most bytes of its request as JSON. A larger one is not sent; a process holds fewer of large ones. */
  readonly maxBytes: number;
  /** How many of them a process works on at a time; the service's own setting when absent. */
  readonly prefetch?: number;
  /**
   * Whether those that a process sends in one turn of the event loop leave as one message of the broker: for commands
   * that come by the hundred. Each has its own span, turn and answer all the same. Each leaves alone when absent.
   */
  readonly grouped?: boolean;
  /**
   * Whether a request holds a secret, such as a one-time code: it is encrypted on its way then, since the broker may
   * write it to disk. Such a command leaves alone. No request does when absent.
   */
  hasSecret?(request: Request): boolean;
  readonly sample: { readonly request: Request; readonly response: Response };
}

/** A durable order to one service; delivered at least once. */
export interface TaskContract<Body extends object = object> {
  readonly kind: 'task';
  readonly name: string;
  readonly owner: ServiceName;
  /** Services that may enqueue it: the broker takes it from no other login. */
  readonly senders: readonly ServiceName[];
  readonly description: string;
  readonly body: BodyClass<Body>;
  /** The delays a sender may ask for, in seconds; each one is a wait queue. */
  readonly delaysSeconds: readonly number[];
  /** Most bytes of its body as JSON, for which its senders answer. A process holds fewer of large ones. */
  readonly maxBytes: number;
  /** How many of them a process works on at a time; the service's own setting when absent. */
  readonly prefetch?: number;
  readonly sample: Body;
}

/** A fact, for any number of services; delivered at least once to each consumer, and to every process that listens. */
export interface EventContract<Body extends object = object> {
  readonly kind: 'event';
  readonly name: string;
  readonly producer: ServiceName;
  /** Services that publish it besides its producer; none when absent. */
  readonly alsoPublishedBy?: readonly ServiceName[];
  /** Services of which one process takes each event, from a queue that keeps it until then. */
  readonly consumers: readonly ServiceName[];
  /**
   * Services of which every process hears it while it is connected: for what processes keep in memory. Nothing is kept
   * for a process that is away; it is told on its return that it may have missed some (`Broker.onBroadcastsMissed`).
   */
  readonly broadcastTo?: readonly ServiceName[];
  /** Most bytes of its body as JSON, for which its producers answer. A process holds fewer of large ones. */
  readonly maxBytes: number;
  /**
   * How many of them a process works on at a time when its handler puts them together; the service's own setting when
   * absent.
   */
  readonly prefetch?: number;
  readonly description: string;
  readonly body: BodyClass<Body>;
  readonly sample: Body;
}

export type MessageContract = CommandContract | TaskContract | EventContract;

/** For requests of ids and times alone: small ones leave the larger commands their room in a process. */
export const SMALL_COMMAND_BYTES = 512;
/** What a command's request may take when its contract says nothing else: names, ids and filters. */
const COMMAND_BYTES = 4_096;
/** What the body of a task or event may take when its contract says nothing else. */
const MESSAGE_BYTES = 16_384;
/**
 * What the values of one template message may take as JSON: 32,768 characters of three bytes. The upstream platform
 * sends far shorter texts, about 1,024 characters with all values filled in.
 */
export const TEMPLATE_VALUES_MAX_BYTES = 98_304;
/** A command or task with the content of one message, and room for the rest. */
export const CONTENT_BYTES = 114_688;
/** What a list within a command, task or event may take beside the rest: a longer one travels in parts. */
export const PART_BYTES = 262_144;
/** An event with updates of the upstream platform, or with what is made of one of them. */
export const UPDATES_EVENT_BYTES = 131_072;
/** A command with rows of a job: the content of a message, a part of the rows, and room for a thousand plain rows. */
export const ROWS_COMMAND_BYTES = 1_048_576;

/**
 * Declares a command. Types are inferred from the two classes. The gateway alone may ask it when `callers` is absent;
 * its request takes 4 KB at most when `maxBytes` is.
 */
export function command<Request extends object, Response extends object>(
  contract: Omit<CommandContract<Request, Response>, 'kind' | 'callers' | 'maxBytes'> &
    Partial<Pick<CommandContract, 'callers' | 'maxBytes'>>,
): CommandContract<Request, Response> {
  return { kind: 'command', callers: ['gateway'], maxBytes: COMMAND_BYTES, ...contract };
}

/**
 * Declares a task. Its owner alone may enqueue it when `senders` is absent; its body takes 16 KB at most when
 * `maxBytes` is.
 */
export function task<Body extends object>(
  contract: Omit<TaskContract<Body>, 'kind' | 'senders' | 'maxBytes'> &
    Partial<Pick<TaskContract, 'senders' | 'maxBytes'>>,
): TaskContract<Body> {
  return { kind: 'task', senders: [contract.owner], maxBytes: MESSAGE_BYTES, ...contract };
}

/** Declares an event. Its body takes 16 KB at most when `maxBytes` is absent. */
export function event<Body extends object>(
  contract: Omit<EventContract<Body>, 'kind' | 'maxBytes'> & Partial<Pick<EventContract, 'maxBytes'>>,
): EventContract<Body> {
  return { kind: 'event', maxBytes: MESSAGE_BYTES, ...contract };
}

/**
 * The JSON of a task's or event's body.
 * @throws Error when it takes more than the contract allows: whoever made it had to bound or to divide what it holds
 */
export function bodyJson<Body extends object>(
  { name, maxBytes }: TaskContract<Body> | EventContract<Body>,
  body: Body,
): string {
  const json = JSON.stringify(body);
  // A UTF-16 unit takes three bytes at most.
  if (json.length * 3 > maxBytes && Buffer.byteLength(json) > maxBytes)
    throw new Error(`${name} takes more than ${maxBytes} bytes`);
  return json;
}
