import type { Readable } from 'node:stream';
import type { ErrorCode } from '@switchboard/contracts';
import type { LostName } from './lost-names';

declare module 'fastify' {
  interface FastifyRequest {
    /** Error code of the response, if any. */
    errorCode: ErrorCode | null;
    formFields: ReadonlyMap<string, string> | null;
    /** Member names whose values were lost when the body was parsed. */
    lostNames: readonly LostName[] | null;
    /** SHA-256 of the raw body; null without an Idempotency-Key. */
    bodyHash: Buffer | null;
    /** File stream of the response while it is being sent. */
    download: Readable | null;
  }

  interface FastifyContextConfig {
    /**
     * Checks the head of a request to a public route before its body is read; throws the error that rejects the
     * request.
     */
    requireHead?: (request: FastifyRequest) => void;
    rawBody?: boolean;
    /**
     * True if the route requires a body. Other routes accept an empty body, since some clients always send a content
     * type.
     */
    takesBody?: boolean;
    /** True if the handler reads forms with files itself. */
    takesForms?: boolean;
    bodyLimitBytes?: number;
    /** True if the response is a file, sent at the pace of its reader. */
    isDownload?: boolean;
    /** True if the response is an event stream, which stays open. */
    isEventStream?: boolean;
    /** True if the body limit grows with the number of recipients that the caller's plan allows. */
    takesRecipients?: boolean;
    /** True if the body may contain `dryRun: true`. Such a request neither uses nor stores an Idempotency-Key. */
    takesDryRuns?: boolean;
  }
}
