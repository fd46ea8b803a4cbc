/**
 * The messages that one request consists of. The last two tokens of a message's subject are its kind and its number,
 * which counts from 0 in each direction: a gap means that a message was lost.
 */

/** The messages of the caller: the request first, then the rest. */
export type CallerFrame =
  | 'request'
  | 'piece'
  | 'item'
  | 'end'
  | 'fail'
  | 'next'
  | 'credit'
  | 'alive'
  | 'cancel';

/**
 * The messages of the owner. `received`: the request has arrived. `piece`: a part of an item; `item`: its last part;
 * `only`: the last part of the only item; `end`: no more items; `fail`: the handler failed; `next`: asks for the next item of the
 * body; `credit`: asks for more pieces; `alive`: the handler still works; `unknown`: the owner does not know the request.
 */
export type OwnerFrame =
  | 'received'
  | 'piece'
  | 'item'
  | 'only'
  | 'end'
  | 'fail'
  | 'next'
  | 'credit'
  | 'alive'
  | 'unknown';

/** Sends one message of a request. */
export type SendFrame<Kind extends string> = (kind: Kind, data?: Uint8Array) => void;

/** A message of a request as it arrives. */
export interface ReceivedFrame {
  readonly kind: string;
  readonly number: number;
  readonly data: Uint8Array;
}

/** Names of the headers of a request. All other headers are its trace context. */
export const TIMEOUT_HEADER = 'Pagespace-Timeout-Ms';
/** Present if the payload does not stand in the request itself, but is the first item that follows it. */
export const PAYLOAD_FOLLOWS_HEADER = 'Pagespace-Payload-Follows';
/** Present if a body follows. */
export const BODY_FOLLOWS_HEADER = 'Pagespace-Body-Follows';

/** Time between two checks of the running requests, in milliseconds. */
export const TICK_MS = 500;
/** Each side sends `alive` once in this many ticks. */
export const TICKS_PER_ALIVE = 2;
/**
 * A request without any answer after this many ticks was lost. An owner acknowledges at once, and says at the first `alive` if it does not
 * know the request, so more ticks only wait for an owner whose process is busy: its work would go on while the caller hears that the
 * outcome is unknown.
 */
export const TICKS_UNTIL_LOST = 6;
/** A side that was silent for this many ticks is gone: three `alive` did not arrive. */
export const TICKS_UNTIL_SILENT = 7;

/** Maximum size of a piece in bytes: small requests between the pieces of a large one do not wait long. */
const MAX_PIECE_BYTES = 262_144;
/** Bytes of a message that stay free for its headers and subjects. */
const OVERHEAD_BYTES = 4_096;

/** Returns the maximum size of a piece. @param maxPayload maximum size of a message in bytes */
export const maxPieceBytes = (maxPayload: number): number =>
  Math.min(MAX_PIECE_BYTES, Math.floor(Math.max(maxPayload - OVERHEAD_BYTES, maxPayload / 2)));
