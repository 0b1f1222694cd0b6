import { Injectable } from '@nestjs/common';
import {
  AppError,
  mediaReferences,
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

/** Account that sends a message, and the source of the message id. */
export interface Sender {
  /** User or API key. */
  id: string;
  account: { id: string };
  newId: NewIdFunction;
  /** True to retain uploaded files with their messages. */
  keepsUploads?: boolean;
  /** Wraps the send in an audit log entry, for users. */
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

  sendJson(body: SendMessageRequest, sender: Sender): Promise<SendMessageReply> {
    const message = requireOneCaption(withOwnContent(body));
    return this.request({ ...commandOf(sender), message }, sender);
  }

  async sendFile(request: FastifyRequest, sender: Sender): Promise<SendMessageReply> {
    const keepsUpload = sender.keepsUploads === true;
    const { message, upload } = await this.uploads.receive(request, sender.account.id, keepsUpload);
    try {
      await this.idempotency.begin(request, fingerprintOf({ message, upload }));
    } catch (error) {
      await this.uploads.discard(upload.blobKey);
      throw error;
    }
    let isHandedOver = false;
    try {
      const command = { ...commandOf(sender), message, upload, ...(keepsUpload && { keepsUpload }) };
      return await this.request(command, sender, () => (isHandedOver = true));
    } catch (error) {
      // After other errors, messaging deletes the file, immediately or when the send is settled.
      if (!isHandedOver || (error instanceof AppError && error.code === 'UNAVAILABLE'))
        await this.uploads.discard(upload.blobKey);
      throw error;
    }
  }

  /** @param onAsked called when the command is sent to messaging, after the audit entry has been written */
  private async request(
    command: SendMessageCommand,
    { noted }: Sender,
    onAsked?: () => void,
  ): Promise<SendMessageReply> {
    const mayUpload = command.upload !== undefined || mediaReferences(command.message).length > 0;
    const options = mayUpload ? { timeoutMs: UPLOAD_SEND_TIMEOUT_MS } : {};
    const send = (): Promise<SendMessageReply> => {
      onAsked?.();
      return this.messaging.sendMessage(command, options);
    };
    try {
      // A timeout does not mean that nothing was sent: messaging may have a row, whose outcome its reconciler
      // determines.
      return await (noted ? noted(command, send) : send());
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 504) throw error;
      // Omits an id by which the caller could not look up the message.
      throw (await this.openSends.note(command)) ? namingMessage(error, command.messageId) : error;
    }
  }
}

function commandOf({ id, account, newId }: Sender): Pick<SendMessageCommand, 'accountId' | 'messageId' | 'senderId'> {
  return { accountId: account.id, messageId: newId('msg'), senderId: id };
}

/** Adds the message id to the error for an unknown outcome, so that the caller can look up the message. */
function namingMessage({ code, message, details, retryAfterSeconds, extra, cause }: AppError, id: string): AppError {
  return new AppError(code, { message, details, retryAfterSeconds, extra: { ...extra, id }, cause });
}

/** Returns the fingerprint of an upload, from all fields and the bytes and name of the file, but not its blob key. */
export function fingerprintOf({ message, upload: { sha256, filename } }: ReceivedUpload): string {
  const { to, type, caption, from, clientRef, context, ...others } = message;
  // Positional as in the previous version, so that a request repeated during an upgrade has the same fingerprint.
  const fields = [to, type, caption, from, clientRef, sha256, filename, ...(context ? [context.messageId] : [])];
  return JSON.stringify([...fields, ...Object.entries(others)]);
}
