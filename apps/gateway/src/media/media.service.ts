import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import { isId, notFound } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendMedia } from '../http/send-media';

export interface MediaServing {
  /** Types that are served unchanged; others become `application/octet-stream`. */
  allowedTypes: RegExp;
  headers?: Record<string, string>;
}

/** Serves the files of inbound messages, for the API and the dashboard. */
@Injectable()
export class MediaService {
  constructor(
    private readonly messaging: MessagingClient,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /** @throws AppError NOT_FOUND, RANGE_NOT_SATISFIABLE, UPSTREAM_ERROR, UPSTREAM_TIMEOUT */
  async send(
    file: { accountId: string; mediaId: string },
    { allowedTypes, headers = {} }: MediaServing,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<void> {
    const { accountId, mediaId } = file;
    if (!isId('med', mediaId)) throw notFound('file');
    const media = await this.messaging.getMedia({ accountId, mediaId });
    reply.headers(headers);
    const contentType = allowedTypes.test(media.mimeType) ? media.mimeType : 'application/octet-stream';
    await sendMedia(media, { blobs: this.blobs, request, reply, contentType });
  }
}
