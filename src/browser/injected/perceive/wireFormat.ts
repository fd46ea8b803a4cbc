/** Messages between the injected script and the service about one frame; plain JSON in both directions. */
import type { ActionParam, ActionStatus } from '../../../domain/action.ts';
import type { SpaceCategory } from '../../../domain/space.ts';

/** The way a step acts on the element; it decides which Playwright call performs the step. */
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

/** One interactive element. */
export interface ObservedElement {
  /** Identifies the element for the life of its document; never reused. An element that is listed later has a higher key. */
  readonly key: number;
  /** First letter of the id: link, button or input. */
  readonly letter: 'L' | 'B' | 'I';
  readonly control: Control;
  readonly role: string | null;
  /** The accessible name with white space collapsed, else a hint from the markup. */
  readonly name: string;
  readonly description: string;
  /** Name of the section of the page. Never empty. */
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
  /** Role, name, tag, type and target as one string: identifies the element's meaning, independent of its state. */
  readonly fingerprint: string;
}

/** An iframe element, and the position of its frame's elements in document order. */
export interface ObservedFrame {
  /** Number of elements that are listed before the iframe. */
  readonly before: number;
  /** Index among the iframes of this document; see `PageAgent.frameElement`. */
  readonly index: number;
  /** Identifies the iframe for the life of its document. */
  readonly key: number;
  /** Offset of its content box in this frame's viewport. CSS pixels. */
  readonly x: number;
  readonly y: number;
  /** The iframe's accessible name or its `name` attribute; empty if it has neither. */
  readonly name: string;
  /** False when the iframe is hidden or has no size: then the elements of its frame are not listed. */
  readonly usable: boolean;
  /** The category for elements of the frame that are in no section of their own. */
  readonly category: string;
}

/** The observation of one frame. */
export interface FrameObservation {
  readonly elements: readonly ObservedElement[];
  readonly frames: readonly ObservedFrame[];
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly category: SpaceCategory;
  /** Number of new custom elements without an open shadow tree: each may have a closed one; see `PageAgent.closedHost`. */
  readonly closedHosts: number;
  /** CSS pixels that the document, or a listed region of it, can still be scrolled. */
  readonly scrollableDown: number;
  readonly scrollableUp: number;
}

export interface ObserveOptions {
  /** The event types of each listener owner, in the order of the nodes that are passed with the options. */
  readonly listenerTypes: readonly (readonly string[])[];
  /** True for the top frame. */
  readonly top: boolean;
}

/** The result of `PageAgent.resolve`. */
export type ElementResolution =
  | { readonly state: 'gone' }
  | {
      readonly state: 'present';
      readonly fingerprint: string;
      readonly control: Control;
      readonly status: ActionStatus;
      /** False when the element has no box of its own, so that the box is that of its label or its editor. */
      readonly hasBox: boolean;
      /** For a covered element: the description of the element on top, and its key if it is listed. */
      readonly coveredBy: string | null;
      readonly coveredByKey: number | null;
      /**
       * A point in the box where a click reaches the element, if a click on the center does not: arcs, wrapped text,
       * partly covered boxes. Offset from the top left corner in CSS pixels; null when the center works.
       */
      readonly point: readonly [number, number] | null;
    };
