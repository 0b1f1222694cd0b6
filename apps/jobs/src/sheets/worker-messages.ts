import type { SheetPiece } from './read-sheet';
import type { SheetLimits } from './sheet-limits';
import type { SheetRefusal } from './sheet-refusal';

/** A file to read. A worker has one at a time. */
export interface SheetToRead {
  bytes: Uint8Array<ArrayBuffer>;
  limits: SheetLimits;
}

/** Message to a worker: the next file, or the acknowledgement of a piece. */
export type WorkerOrder = { sheet: SheetToRead } | 'taken';

/**
 * Message from a worker. The first one reports the start with the operating system's thread id. A rejection or the end
 * is the last one about a file.
 */
export type WorkerMessage =
  | { begun: { threadId: number | undefined } }
  | { piece: SheetPiece }
  | { refusal: Pick<SheetRefusal, 'message' | 'code'> }
  | { end: true };

/** Maximum unacknowledged pieces. The worker then waits for an acknowledgement. */
export const PIECES_AHEAD = 2;
