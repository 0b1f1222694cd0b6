import type { Readable } from 'node:stream';
import type { ErrorCode } from '@switchboard/contracts';
import type { LostName } from './lost-names';

declare module 'fastify' {
  interface FastifyRequest {
    /** The error the request was answered with. */
    errorCode: ErrorCode | null;
    /** The fields of a form, once it is read. */
    formFields: ReadonlyMap<string, string> | null;
    /** Names of the body that parsing lost. */
    lostNames: readonly LostName[] | null;
    /** SHA-256 of the body as it came; null without an Idempotency-Key. */
    bodyHash: Buffer | null;
    /** The file that is the answer, while it is written. */
    download: Readable | null;
  }

  interface FastifyContextConfig {
    /** Judges the head of a request to a public route, before a byte of its body is read; throws the refusal. */
    requireHead?: (request: FastifyRequest) => void;
    rawBody?: boolean;
    /** A body must come. Elsewhere none is wanted, and clients that always name a content type send an empty one. */
    takesBody?: boolean;
    /** The handler reads forms with files itself. */
    takesForms?: boolean;
    bodyLimitBytes?: number;
    /** The answer is a file, which goes out as fast as the caller takes it. */
    isDownload?: boolean;
    /** The body may be as large as the recipients need that the caller's plan allows. */
    takesRecipients?: boolean;
  }
}
