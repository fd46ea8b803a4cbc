/** What the script inside a page tells the service about one frame; plain JSON in both directions. */
import type { ActionParam, ActionStatus } from '../../../domain/action.ts';
import type { SpaceCategory } from '../../../domain/space.ts';

/** How a step sets the element; decides which Playwright call does it. */
export type Control =
  | 'click'
  | 'text'
  | 'contenteditable'
  | 'number'
  | 'range'
  | 'date'
  | 'time'
  | 'datetime'
  | 'month'
  | 'week'
  | 'color'
  | 'select'
  | 'checkbox'
  | 'radio'
  | 'file'
  | 'slider'
  | 'canvas'
  | 'media';

/** One element that can be acted on. */
export interface ObservedElement {
  /** Belongs to this element in this document for ever; never given to another. Rises in the order of first sight. */
  readonly key: number;
  readonly letter: 'L' | 'B' | 'I';
  readonly control: Control;
  readonly role: string | null;
  /** Accessible name verbatim (white space folded), or the best hint there is. */
  readonly name: string;
  readonly description: string;
  /** Never empty. */
  readonly category: string;
  readonly status: ActionStatus;
  readonly params: readonly ActionParam[];
  readonly value: string | null;
  readonly checked: boolean | null;
  readonly disabled: boolean;
  readonly expanded: boolean | null;
  readonly inViewport: boolean;
  /** x, y, width, height in CSS pixels relative to this frame's viewport. */
  readonly box: readonly [number, number, number, number];
  /** Role, name and target: what the element means. */
  readonly fingerprint: string;
}

/** An iframe element met in the walk: where its frame's elements belong in document order. */
export interface ObservedFrame {
  /** Number of elements listed before it. */
  readonly before: number;
  /** Handle by which the service finds the child frame: index among this world's iframes; see `frameElement`. */
  readonly index: number;
  /** Belongs to this iframe in this document for ever. */
  readonly key: number;
  /** Offset of its content box in this frame's viewport. */
  readonly x: number;
  readonly y: number;
  /** Its accessible name or title; empty if none. */
  readonly name: string;
  /** False when it is hidden, inert or behind a modal: then nothing in it is listed. */
  readonly usable: boolean;
  /** The category its elements belong to if they have none of their own. */
  readonly category: string;
}

/** One frame, read. */
export interface FrameObservation {
  readonly elements: readonly ObservedElement[];
  readonly frames: readonly ObservedFrame[];
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly category: SpaceCategory;
  /** Custom elements met for the first time that show no shadow tree: each may have a closed one (`closedHost`). */
  readonly closedHosts: number;
  /** Pixels that the document, or a region of it that is listed, can still be scrolled. */
  readonly scrollableDown: number;
  readonly scrollableUp: number;
}

/** What the service says to the observer. */
export interface ObserveOptions {
  /** Elements with a listener, by event type; aligned with the elements handed over beside the options. */
  readonly listenerTypes: readonly (readonly string[])[];
  /** Whether this is the top frame. */
  readonly top: boolean;
}

/** What `resolve` answers about a key. */
export type ElementResolution =
  | { readonly state: 'gone' }
  | {
      readonly state: 'present';
      readonly fingerprint: string;
      readonly control: Control;
      readonly status: ActionStatus;
      /** For a click target inside a `label`, or a hidden checkbox: whether the element itself has a box to click. */
      readonly hasBox: boolean;
      /** What lies on top, for a covered element: its description, and its key if it is listed. */
      readonly coveredBy: string | null;
      readonly coveredByKey: number | null;
      /**
       * Where in its box (from the top left corner, CSS pixels) a press lands on the element, when its middle is not such
       * a place: arcs, wrapped text, boxes half under others. Null: the middle will do.
       */
      readonly point: readonly [number, number] | null;
    };
