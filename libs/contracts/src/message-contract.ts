import type { ServiceName } from './services';

/** A class that describes a message body with class-validator decorators. */
export type BodyClass<T extends object = object> = new () => T;

/** Request and reply, for an answer now. Never stored by the broker; a lost reply is an error, not a success. */
export interface CommandContract<Request extends object = object, Response extends object = object> {
  readonly kind: 'command';
  readonly name: string;
  readonly owner: ServiceName;
  /** Services that may ask it: the broker takes it from no other login. */
  readonly askers: readonly ServiceName[];
  readonly description: string;
  readonly request: BodyClass<Request>;
  readonly response: BodyClass<Response>;
  /**
   * Whether it changes anything that anybody could see. Of such a command a caller that gets no answer is told that the
   * outcome is unknown; of the others, that the service is unavailable.
   */
  readonly changes: boolean;
  /** How long it may take, in milliseconds: a caller waits so long for the answer once the command is taken. */
  readonly timeoutMs: number;
  /** Most bytes of its request as JSON. A larger one is not sent; a process that works on commands holds fewer of large ones. */
  readonly maxBytes: number;
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
   * Services of which every process hears it while it is connected: for what processes keep in memory. Nothing is kept for
   * a process that is away; it is told on its return that it may have missed some (`Broker.onBroadcastsMissed`).
   */
  readonly broadcastTo?: readonly ServiceName[];
  /** How many of them a process works on at a time when its handler puts them together; the service's own setting when absent. */
  readonly prefetch?: number;
  readonly description: string;
  readonly body: BodyClass<Body>;
  readonly sample: Body;
}

export type MessageContract = CommandContract | TaskContract | EventContract;

/** What a command's request may take when its contract says nothing else. */
const COMMAND_BYTES = 262_144;
/** A command with rows of a job: the largest body of a single message, a part of the rows, and room. */
export const ROWS_COMMAND_BYTES = 2_621_440;

/**
 * Declares a command. Types are inferred from the two classes. The gateway alone may ask it when `askers` is absent; its request takes
 * 256 KB at most when `maxBytes` is.
 */
export function command<Request extends object, Response extends object>(
  contract: Omit<CommandContract<Request, Response>, 'kind' | 'askers' | 'maxBytes'> & Partial<Pick<CommandContract, 'askers' | 'maxBytes'>>,
): CommandContract<Request, Response> {
  return { kind: 'command', askers: ['gateway'], maxBytes: COMMAND_BYTES, ...contract };
}

/** Declares a task. Its owner alone may enqueue it when `senders` is absent. */
export function task<Body extends object>(
  contract: Omit<TaskContract<Body>, 'kind' | 'senders'> & Partial<Pick<TaskContract, 'senders'>>,
): TaskContract<Body> {
  return { kind: 'task', senders: [contract.owner], ...contract };
}

/** Declares an event. */
export function event<Body extends object>(contract: Omit<EventContract<Body>, 'kind'>): EventContract<Body> {
  return { kind: 'event', ...contract };
}
