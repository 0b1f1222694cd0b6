import type { Readable } from 'node:stream';
import type { ErrorCode } from '@switchboard/contracts';
import type { LostName } from './lost-names';

declare module 'fastify' {
  interface FastifyRequest {
    /** Error code of the response. */
    errorCode: ErrorCode | null;
    formFields: ReadonlyMap<string, string> | null;
    /** Member names of the body that parsing lost. */
    lostNames: readonly LostName[] | null;
    /** SHA-256 of the raw body; null without an Idempotency-Key. */
    bodyHash: Buffer | null;
    /** Response file while it is being sent. */
    download: Readable | null;
  }

  interface FastifyContextConfig {
    /** Checks the head of a request to a public route before its body is read; throws the rejection. */
    requireHead?: (request: FastifyRequest) => void;
    rawBody?: boolean;
    /**
     * True if the route requires a body. Other routes accept an empty one, since some clients always send a content
     * type.
     */
    takesBody?: boolean;
    /** True if the handler reads forms with files itself. */
    takesForms?: boolean;
    bodyLimitBytes?: number;
    /** True if the response is a file, sent as fast as the caller reads it. */
    isDownload?: boolean;
    /** True if the body limit grows with the recipients that the caller's plan allows. */
    takesRecipients?: boolean;
  }
}
