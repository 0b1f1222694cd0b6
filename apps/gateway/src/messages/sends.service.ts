import { Injectable } from '@nestjs/common';
import {
  AppError,
  type SendMessageCommand,
  type SendMessageReply,
  type SendMessageRequest,
  UPLOAD_SEND_TIMEOUT_MS,
  withOwnContent,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import type { FastifyRequest } from 'fastify';
import type { NewIdFunction } from '../idempotency/derived-ids';
import { IdempotencyService } from '../idempotency/idempotency.service';
import { requireOneCaption } from './one-caption';
import { OpenSends } from './open-sends';
import { type ReceivedUpload, UploadsService } from './uploads.service';

/** For whom a message is sent, and how its id is made. */
export interface Sender {
  account: { id: string };
  newId: NewIdFunction;
  /** Notes the send around it, where the audit log has sends. */
  noted?: (command: SendMessageCommand, send: () => Promise<SendMessageReply>) => Promise<SendMessageReply>;
}

@Injectable()
export class SendsService {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly uploads: UploadsService,
    private readonly idempotency: IdempotencyService,
    private readonly openSends: OpenSends,
  ) {}

  /** Sends what a JSON body asks for. */
  sendJson(body: SendMessageRequest, sender: Sender): Promise<SendMessageReply> {
    const message = requireOneCaption(withOwnContent(body));
    return this.request({ accountId: sender.account.id, messageId: sender.newId('msg'), message }, sender);
  }

  /** Sends the file of a form. */
  async sendFile(request: FastifyRequest, sender: Sender): Promise<SendMessageReply> {
    const { message, upload } = await this.uploads.receive(request, sender.account.id);
    try {
      await this.idempotency.begin(request, fingerprintOf({ message, upload }));
    } catch (error) {
      await this.uploads.discard(upload.blobKey);
      throw error;
    }
    let isHandedOver = false;
    try {
      const command = { accountId: sender.account.id, messageId: sender.newId('msg'), message, upload };
      return await this.request(command, sender, () => (isHandedOver = true));
    } catch (error) {
      // Any other answer comes from messaging, which has removed the file, or will have when it has settled what is
      // open.
      if (!isHandedOver || (error instanceof AppError && error.code === 'UNAVAILABLE'))
        await this.uploads.discard(upload.blobKey);
      throw error;
    }
  }

  /** @param onAsked is called when messaging is asked, after the send was noted */
  private async request(
    command: SendMessageCommand,
    { noted }: Sender,
    onAsked?: () => void,
  ): Promise<SendMessageReply> {
    const options = command.upload ? { timeoutMs: UPLOAD_SEND_TIMEOUT_MS } : {};
    const send = (): Promise<SendMessageReply> => {
      onAsked?.();
      return this.messaging.sendMessage(command, options);
    };
    try {
      // No answer in time does not mean not sent: the row is there and the reconciler settles it.
      return await (noted ? noted(command, send) : send());
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 504) throw error;
      // An id that nobody could look up is not shown.
      throw (await this.openSends.note(command)) ? namingMessage(error, command.messageId) : error;
    }
  }
}

/** An unknown outcome with the id by which the caller can look the message up. */
function namingMessage({ code, message, details, retryAfterSeconds, extra, cause }: AppError, id: string): AppError {
  return new AppError(code, { message, details, retryAfterSeconds, extra: { ...extra, id }, cause });
}

/** What makes two uploads the same request: all fields and the file's bytes and name, not where they were put. */
export function fingerprintOf({ message, upload: { sha256, filename } }: ReceivedUpload): string {
  const { to, type, caption, from, clientRef, context, ...others } = message;
  // By position, as the version before this one has them: a request that comes again during an upgrade stays the same.
  const fields = [to, type, caption, from, clientRef, sha256, filename, ...(context ? [context.messageId] : [])];
  return JSON.stringify([...fields, ...Object.entries(others)]);
}
