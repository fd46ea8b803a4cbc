/** Converts lengths of the documents in frames to those of the page: transforms and CSS zoom draw frames scaled. */

/**
 * Left and top of the content of an iframe in the viewport of its document, in CSS pixels, and the width and height of one pixel of the content
 * there: 1, 1 for a frame that is not scaled, or that is turned.
 */
export type FramePlace = readonly [left: number, top: number, scaleX: number, scaleY: number];

/** How the viewport of a document is drawn in that of the page. */
export interface Placement {
  /** Left and top edge. CSS pixels of the page. */
  readonly x: number;
  readonly y: number;
  /** Width and height of one pixel of the document. CSS pixels of the page. */
  readonly scaleX: number;
  readonly scaleY: number;
}

/** The placement of the top document. */
export const ON_TOP: Placement = { x: 0, y: 0, scaleX: 1, scaleY: 1 };

/** Returns the placement of a frame in a document that is placed itself. */
export const placedIn = (outer: Placement, [x, y, scaleX, scaleY]: FramePlace): Placement => ({
  ...toPage(outer, { x, y }),
  scaleX: outer.scaleX * scaleX,
  scaleY: outer.scaleY * scaleY,
});

/** Converts a point in the viewport of a document to one in that of the page. */
export const toPage = (
  { x, y, scaleX, scaleY }: Placement,
  point: { readonly x: number; readonly y: number },
): { x: number; y: number } => ({ x: x + point.x * scaleX, y: y + point.y * scaleY });

/** Returns true if the document is drawn larger or smaller than it is. */
export const isScaled = ({ scaleX, scaleY }: Placement): boolean => scaleX !== 1 || scaleY !== 1;
