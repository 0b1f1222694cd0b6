import { ApiParam } from '@nestjs/swagger';
import {
  type ErrorCode,
  type MarkReadCommand,
  MESSAGE_NAME,
  notFound,
  type ReceiptAnswer,
} from '@switchboard/contracts';
import type { MessagingClient } from '@switchboard/service-clients';
import type { Success } from '../openapi/decorators';

/** What a read receipt or a typing indicator can be refused with, besides what every call can. */
export const RECEIPT_ERRORS = [
  'INVALID_PARAMETER',
  'INVALID_VALUE',
  'NOT_FOUND',
  'NUMBER_STOPPED',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
] satisfies ErrorCode[];

export function ApiReceivedMessage(): MethodDecorator {
  return ApiParam({
    name: 'id',
    description: "Of a message that a customer sent: the service's `id`, or the upstream platform's identifier",
    schema: { type: 'string', example: 'msg_01jd0000000000000000000000' },
  });
}

/** Tells a customer that their message was read, or that an answer is being written. @throws AppError NOT_FOUND */
export async function markRead(messaging: MessagingClient, command: MarkReadCommand): Promise<Success<ReceiptAnswer>> {
  if (!MESSAGE_NAME.test(command.id)) throw notFound('message');
  const { id, upstreamId, readAt } = await messaging.markRead(command);
  return { success: true, id, message_id: upstreamId, readAt };
}
