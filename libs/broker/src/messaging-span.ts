import { extractTrace, injectTrace, inSpan, isTraced, type SpanOptions, SpanKind } from '@switchboard/platform';

interface Addressed {
  exchange: string;
  routingKey: string;
  messageId: string;
}

/**
 * `request` sends a command and waits for its reply. The other values are operation types of OpenTelemetry's
 * conventions.
 */
type Operation = 'send' | 'process' | 'request';

const KINDS: Record<Operation, SpanKind> = {
  send: SpanKind.PRODUCER,
  process: SpanKind.CONSUMER,
  request: SpanKind.CLIENT,
};

/**
 * Returns a message span's name and options, following OpenTelemetry's semantic conventions for RabbitMQ (in
 * development). The destination is the exchange and the routing key. The queue is left out, because it is named after
 * the contract.
 */
export function messagingSpan(
  operation: Operation,
  { exchange, routingKey, messageId }: Addressed,
): [name: string, options: SpanOptions] {
  const destination = [exchange, routingKey].filter((part) => part !== '').join(':');
  const attributes = {
    // The conventions renamed these two attributes, but tools still use the earlier names.
    'messaging.system': 'rabbitmq',
    'messaging.system.name': 'rabbitmq',
    'messaging.rabbitmq.destination.routing_key': routingKey,
    'rabbitmq.destination.routing_key': routingKey,
    'messaging.destination.name': destination,
    'messaging.operation.name': operation,
    'messaging.operation.type': operation === 'request' ? 'send' : operation,
    'messaging.message.id': messageId,
  };
  return [`${operation} ${destination}`, { kind: KINDS[operation], attributes }];
}

/**
 * Publishes inside a producer span, which becomes the parent of the consumers' spans.
 * @param headers trace headers of the message's cause; those of the active span when absent
 * @param send receives the headers to publish with
 */
export function inSendSpan<Result>(
  message: Addressed,
  headers: Record<string, unknown> | undefined,
  send: (headers: Record<string, unknown>) => Promise<Result>,
): Promise<Result> {
  const parent = headers && extractTrace(headers);
  if (!isTraced(parent)) return send(headers ?? injectTrace());
  const [name, options] = messagingSpan('send', message);
  return inSpan(name, { ...options, parent }, () => send({ ...headers, ...injectTrace() }));
}
