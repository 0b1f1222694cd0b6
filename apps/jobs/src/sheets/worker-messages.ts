import type { SheetPiece } from './read-sheet';
import type { SheetLimits } from './sheet-limits';
import type { SheetRefusal } from './sheet-refusal';

/** A file to read. A worker has one at a time. */
export interface SheetToRead {
  bytes: Uint8Array<ArrayBuffer>;
  limits: SheetLimits;
}

/** What a worker is told: the next file, or that a piece was taken. */
export type WorkerOrder = { sheet: SheetToRead } | 'taken';

/**
 * What it tells: first that it begins, and as which thread of the operating system; after a refusal or the end nothing
 * more of this file.
 */
export type WorkerMessage =
  | { begun: { threadId: number | undefined } }
  | { piece: SheetPiece }
  | { refusal: Pick<SheetRefusal, 'message' | 'code'> }
  | { end: true };

/** Pieces that a worker may have told and nobody has taken yet; it waits then, until it is told that one was taken. */
export const PIECES_AHEAD = 2;
