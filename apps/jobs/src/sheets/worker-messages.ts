import type { SheetPiece } from './read-sheet';
import type { SheetLimits } from './sheet-limits';
import type { SheetRefusal } from './sheet-refusal';

/** A file to read. A worker reads one at a time. */
export interface SheetToRead {
  bytes: Uint8Array<ArrayBuffer>;
  limits: SheetLimits;
}

/** Message to a worker: the next file, or the acknowledgement of a piece. */
export type WorkerOrder = { sheet: SheetToRead } | 'taken';

/**
 * Message from a worker. The first one reports the start with the operating system's thread id. The last one about a
 * file is a rejection or the end.
 */
export type WorkerMessage =
  | { begun: { threadId: number | undefined } }
  | { piece: SheetPiece }
  | { refusal: Pick<SheetRefusal, 'message' | 'code'> }
  | { end: true };

/** Maximum number of unacknowledged pieces. The worker waits for an acknowledgement before it sends more. */
export const PIECES_AHEAD = 2;
