import type { SheetPiece } from './read-sheet';
import type { SheetLimits } from './sheet-limits';
import type { SheetRefusal } from './sheet-refusal';

/** What a worker is started with. */
export interface WorkerInput {
  bytes: Uint8Array<ArrayBuffer>;
  limits: SheetLimits;
}

/** What it tells; after a refusal or the end nothing more comes. */
export type WorkerMessage = { piece: SheetPiece } | { refusal: Pick<SheetRefusal, 'message' | 'code'> } | { end: true };

/** Pieces that a worker may have told and nobody has taken yet; it waits then, until it is told (by any message) that one was taken. */
export const PIECES_AHEAD = 2;
