import { Pool } from 'undici';
import { readAs } from './responses';
import { type BlockListCalls, blockListCalls } from './block-list';
import { exchange, type Answer, type PlatformConnection } from './exchange';
import { type NumberSetupCalls, numberSetupCalls } from './number-setup';
import {
  assertUploadId,
  type CreateUploadCall,
  readUploadOffset,
  type UploadChunkCall,
  type UploadOffsetCall,
} from './resumable-upload';
import { type FileToUpload, uploadForm } from './upload-form';
import type { UpstreamCreatedTemplate, UpstreamNewTemplate, UpstreamTemplateEdit } from './template-types';
import type { UpstreamNumber, UpstreamPage, UpstreamSendBody, UpstreamSendResponse, UpstreamTemplate } from './types';

export interface UpstreamClientOptions {
  /** Origin of the platform, for example `https://graph.facebook.com`. A path is kept as a prefix. */
  baseUrl: string;
  /** API version, for example `v24.0`. */
  apiVersion: string;
  /** Deadline of a call as a whole in milliseconds: queueing, connecting, writing and reading. */
  timeoutMs: number;
  /** Maximum number of connections for sends and management calls; 128 when absent. Further calls queue. */
  connections?: number;
  /** Secret of the app that owns the access tokens. If set, each call has an `appsecret_proof`. */
  appSecret?: string;
}

export interface UpstreamCall {
  accessToken: string;
  /** Cancels the call. The error's `kind` shows whether the message may have been sent. */
  signal?: AbortSignal;
  /** Deadline of this call, in milliseconds; defaults to the client's deadline. */
  timeoutMs?: number;
}

export interface SendMessageCall extends UpstreamCall {
  phoneNumberId: string;
  body: UpstreamSendBody;
  /**
   * Sends through the Marketing Messages API, which accepts only marketing templates, from numbers whose business is
   * onboarded.
   */
  isMarketing?: boolean;
}

export interface SentMessage {
  /** The message's wamid. */
  messageId: string;
  /** `accepted`, `held_for_quality_assessment` or `paused`. Present only for some template sends. */
  messageStatus?: string;
  /** Digits of the recipient as known to the platform, which may differ from the requested number. */
  waId?: string;
}

export interface MarkReadCall extends UpstreamCall {
  phoneNumberId: string;
  /** The wamid of an inbound message. */
  messageId: string;
  /** Also shows a typing indicator for 25 seconds, or until the next message. */
  typing: boolean;
}

export interface ListTemplatesCall extends UpstreamCall {
  wabaId: string;
  /** Cursor of the previous page. */
  after?: string;
  limit?: number;
  /** Exact template name. Matches all languages of the template. */
  name?: string;
}

export interface TemplatePage {
  templates: UpstreamTemplate[];
  /** Cursor of the next page; absent on the last one. */
  after?: string;
}

export interface CreateTemplateCall extends UpstreamCall {
  wabaId: string;
  template: UpstreamNewTemplate;
}

export interface EditTemplateCall extends UpstreamCall {
  templateId: string;
  edit: UpstreamTemplateEdit;
}

export interface DeleteTemplateCall extends UpstreamCall {
  wabaId: string;
  name: string;
  templateId: string;
}

export interface GetNumberCall extends UpstreamCall {
  phoneNumberId: string;
}

export interface UploadMediaCall extends UpstreamCall {
  phoneNumberId: string;
  file: FileToUpload;
}

/** Client of the Cloud API. Every method fails only with an `UpstreamError`. */
export interface UpstreamClient extends NumberSetupCalls, BlockListCalls {
  sendMessage(call: SendMessageCall): Promise<SentMessage>;
  /** Marks a contact's message as read. Idempotent. */
  markRead(call: MarkReadCall): Promise<void>;
  listTemplates(call: ListTemplatesCall): Promise<TemplatePage>;
  /** Submits a new template. An existing name and language is rejected with code 100, subcode 2388024. */
  createTemplate(call: CreateTemplateCall): Promise<UpstreamCreatedTemplate>;
  editTemplate(call: EditTemplateCall): Promise<void>;
  /** Deletes one template in one language. */
  deleteTemplate(call: DeleteTemplateCall): Promise<void>;
  getNumber(call: GetNumberCall): Promise<UpstreamNumber>;
  /** Streams a file to the platform. @returns its media id, valid for 30 days */
  uploadMedia(call: UploadMediaCall): Promise<string>;
  /**
   * Opens an upload session of the token's app, for the sample of a template header.
   * @returns the id of the session
   */
  createUpload(call: CreateUploadCall): Promise<string>;
  /** Streams the bytes from an offset to the end of the file. @returns the file's handle */
  uploadChunk(call: UploadChunkCall): Promise<string>;
  /** @returns the number of bytes that the platform has received */
  getUploadOffset(call: UploadOffsetCall): Promise<number>;
  /** Waits for running calls, then closes the connections. */
  close(): Promise<void>;
}

/** Exceeds the number of concurrent sends of one process. */
export const DEFAULT_CONNECTIONS = 128;
/**
 * Size of the separate pool for calls that no message waits for: number details, setup, read receipts, block lists. A
 * platform that is slow there does not delay sends.
 */
const SIDE_CONNECTIONS = 16;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const TEMPLATE_FIELDS = 'id,name,status,category,language,components,parameter_format,rejected_reason,quality_score';
const NUMBER_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,throughput,status,whatsapp_business_manager_messaging_limit';

/** Creates a client with its own keep-alive pools. It connects with the first call. */
export function createUpstreamClient(options: UpstreamClientOptions): UpstreamClient {
  const base = new URL(options.baseUrl);
  const connect = (connections: number): PlatformConnection => ({
    pool: new Pool(base.origin, {
      connections,
      connect: { timeout: options.timeoutMs },
      // The call's own deadline is exact; undici's coarse timeouts are disabled.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: MAX_ANSWER_BYTES,
    }),
    appSecret: options.appSecret,
  });
  const connection = connect(options.connections ?? DEFAULT_CONNECTIONS);
  const side = connect(SIDE_CONNECTIONS);
  const root = `${base.pathname.replace(/\/$/, '')}/${options.apiVersion}`;
  const callOver =
    (over: PlatformConnection) =>
    (
      path: string,
      { accessToken, signal, timeoutMs = options.timeoutMs }: UpstreamCall,
      body?: object,
      method?: 'DELETE',
    ): Promise<Answer> =>
      exchange(over, {
        path: root + path,
        method,
        accessToken,
        body: body && { contentType: 'application/json', content: JSON.stringify(body) },
        signal,
        timeoutMs,
      });
  const call = callOver(connection);
  const callAside = callOver(side);

  return {
    async sendMessage(given) {
      const { to, ...rest } = given.body;
      const body = {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...(to !== undefined && { to: `+${to}` }),
        ...rest,
      };
      const path = `/${encodeURIComponent(given.phoneNumberId)}`;
      if (!given.isMarketing) return readSent(await call(`${path}/messages`, given, body));
      // Messages that the platform cannot optimize are sent regardless. Whether the platform may share interactions
      // with the message is a setting of the business there.
      const marketing = { ...body, product_policy: 'CLOUD_API_FALLBACK' };
      return readSent(await call(`${path}/marketing_messages`, given, marketing));
    },
    async markRead({ phoneNumberId, messageId, typing, ...given }) {
      const body = {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: messageId,
        ...(typing && { typing_indicator: { type: 'text' } }),
      };
      readDone(await callAside(`/${encodeURIComponent(phoneNumberId)}/messages`, given, body));
    },
    async listTemplates(given) {
      const query = new URLSearchParams({ fields: TEMPLATE_FIELDS, limit: String(given.limit ?? 100) });
      if (given.after) query.set('after', given.after);
      if (given.name) query.set('name', given.name);
      return readTemplates(await call(`/${encodeURIComponent(given.wabaId)}/message_templates?${query}`, given));
    },
    async createTemplate(given) {
      const path = `/${encodeURIComponent(given.wabaId)}/message_templates`;
      const created = readAs<UpstreamCreatedTemplate>(
        await call(path, given, given.template),
        ({ id }) => typeof id === 'string' || typeof id === 'number',
      );
      return { ...created, id: String(created.id) };
    },
    async editTemplate(given) {
      readDone(await call(`/${encodeURIComponent(given.templateId)}`, given, given.edit));
    },
    async deleteTemplate({ wabaId, name, templateId, accessToken, signal, timeoutMs = options.timeoutMs }) {
      const query = new URLSearchParams({ hsm_id: templateId, name });
      const path = `${root}/${encodeURIComponent(wabaId)}/message_templates?${query}`;
      readDone(await exchange(connection, { path, method: 'DELETE', accessToken, signal, timeoutMs }));
    },
    async getNumber(given) {
      const path = `/${encodeURIComponent(given.phoneNumberId)}?fields=${encodeURIComponent(NUMBER_FIELDS)}`;
      return readAs<UpstreamNumber>(await callAside(path, given), (number) => typeof number.id === 'string');
    },
    async uploadMedia({ phoneNumberId, accessToken, file, signal, timeoutMs = options.timeoutMs }) {
      const path = `${root}/${encodeURIComponent(phoneNumberId)}/media`;
      const answer = await exchange(connection, { path, accessToken, body: uploadForm(file), signal, timeoutMs });
      const { id } = readAs<{ id: string | number }>(
        answer,
        (media) => typeof media.id === 'string' || typeof media.id === 'number',
      );
      return String(id);
    },
    async createUpload({ accessToken, filename, bytes, mimeType, signal, timeoutMs = options.timeoutMs }) {
      const query = new URLSearchParams({ file_name: filename, file_length: String(bytes), file_type: mimeType });
      const path = `${root}/app/uploads?${query}`;
      const answer = await exchange(connection, { path, method: 'POST', accessToken, signal, timeoutMs });
      const { id } = readAs<{ id: string }>(answer, (upload) => typeof upload.id === 'string');
      return assertUploadId(id);
    },
    async uploadChunk({ uploadId, accessToken, offset, bytes, content, signal, timeoutMs = options.timeoutMs }) {
      const answer = await exchange(connection, {
        path: `${root}/${assertUploadId(uploadId)}`,
        accessToken,
        scheme: 'OAuth',
        headers: { file_offset: String(offset) },
        body: { contentType: 'application/octet-stream', byteLength: bytes, content },
        signal,
        timeoutMs,
      });
      return readAs<{ h: string }>(answer, ({ h }) => typeof h === 'string' && h !== '').h;
    },
    async getUploadOffset({ uploadId, accessToken, signal, timeoutMs = options.timeoutMs }) {
      const path = `${root}/${assertUploadId(uploadId)}`;
      return readUploadOffset(await exchange(connection, { path, accessToken, scheme: 'OAuth', signal, timeoutMs }));
    },
    ...numberSetupCalls(callAside),
    ...blockListCalls(side, root, options.timeoutMs),
    close: async () => {
      await Promise.all([connection.pool.close(), side.pool.close()]);
    },
  };
}

function readSent(answer: Answer): SentMessage {
  const response = readAs<UpstreamSendResponse>(answer, (sent) => typeof sent.messages?.[0]?.id === 'string');
  const message = response.messages[0]!;
  return { messageId: message.id, messageStatus: message.message_status, waId: response.contacts?.[0]?.wa_id };
}

function readTemplates(answer: Answer): TemplatePage {
  const page = readAs<UpstreamPage<UpstreamTemplate>>(answer, (given) => Array.isArray(given.data));
  // `next` may contain the token, so only its presence is used. The cursors are set even on the last page.
  return { templates: page.data, after: page.paging?.next ? page.paging.cursors?.after : undefined };
}

function readDone(answer: Answer): void {
  readAs<{ success: boolean }>(answer, ({ success }) => success === true);
}
