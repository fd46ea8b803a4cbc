/** Messages between the injected script and the service about one frame; plain JSON in both directions. */
import type {
  ActionFocus,
  ActionLayer,
  ActionLook,
  ActionParam,
  ActionStatus,
} from '../../../domain/space/action.ts';
import type { Placement } from '../../../domain/space/placement.ts';
import type { MessageKind, SpaceCategory, TextBlockKind } from '../../../domain/space/space.ts';

/** The way a step acts on an element. It decides how the service performs the step. */
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

export type PointerGesture = 'double click' | 'right click';

export interface ObservedElement {
  /**
   * Identifies the element for the life of its document. A new element gets a higher key than all before it, except when it
   * replaces a removed element after a re-render: then it gets the key of that element.
   */
  readonly key: number;
  /** First letter of the action's id: `L` for a link, `B` for a button, `I` for an input. */
  readonly letter: 'L' | 'B' | 'I';
  readonly control: Control;
  readonly role: string | null;
  /** The accessible name with white space collapsed, else a hint from the markup. */
  readonly name: string;
  readonly description: string;
  /** Name of the section of the page that contains the element. Never empty. */
  readonly category: string;
  readonly status: ActionStatus;
  readonly params: readonly ActionParam[];
  readonly value: string | null;
  readonly checked: boolean | null;
  readonly disabled: boolean;
  readonly expanded: boolean | null;
  /** The only gesture that the element reacts to; null if it reacts to a click, and when that is not known. */
  readonly gesture: PointerGesture | null;
  readonly inViewport: boolean;
  /** The layer of the page that contains the element; null for the normal one. */
  readonly layer: ActionLayer | null;
  /** Left, top, width and height in the viewport of the element's frame. CSS pixels. */
  readonly box: readonly [number, number, number, number];
  /** Role, name, tag, type and target as one string: identifies the element's meaning, independent of its state. */
  readonly fingerprint: string;
  readonly focus?: ActionFocus;
  readonly picture?: number;
  readonly look?: ActionLook;
}

export interface ObservedFrame {
  /** Number of elements of the observed frame that come before the iframe in document order. */
  readonly before: number;
  /** Index among the iframes of this document; see `PageAgent.frameElement`. */
  readonly index: number;
  /** Identifies the iframe for the life of its document. */
  readonly key: number;
  /** The place of the iframe's content in the viewport of the frame that contains the iframe. */
  readonly place: Placement;
  /** The iframe's accessible name or its `name` attribute; empty if it has neither. */
  readonly name: string;
  /** False when the iframe is hidden or has no size: then the service does not list the elements inside it. */
  readonly usable: boolean;
  /** The layer of the page that contains the iframe; null for the normal one. */
  readonly layer: ActionLayer | null;
  /** The category for elements inside the iframe that are in no section of their own document. */
  readonly category: string;
}

export interface ObservedMessage {
  readonly kind: MessageKind;
  readonly text: string;
  /** Key of the listed element that the message belongs to; null if it belongs to none. */
  readonly key: number | null;
  readonly isNew: boolean;
}

export interface ObservedTextBlock {
  readonly kind: TextBlockKind;
  readonly text: string;
  /** Index of the iframe after the text, if no listed element comes before it; else null. */
  readonly frame: number | null;
  /** Key of the next listed element of this document after the text; null if none follows. */
  readonly before: number | null;
}

export interface ObservedMessages {
  readonly messages: readonly ObservedMessage[];
  /**
   * Hashes of the texts of the document; null for a child frame, and if the texts have not changed since the last observation. The service
   * passes them to the observation of the next document as `ObserveOptions.earlierTextHashes`.
   */
  readonly textHashes: string | null;
}

/** The result of observing one frame: its actions, its messages, its busy indicators and, on request, its text. */
export interface FrameObservation extends DocumentObservation, ObservedMessages {
  /** The signs by which the document shows that it is busy; empty for child frames. */
  readonly busy: readonly string[];
  readonly textBlocks: readonly ObservedTextBlock[];
  /** Changes of the step beside texts and actions: `attributes of 2 elements: "A5" (class "taken"), …`; absent for nothing. */
  readonly unlistedChanges?: string;
  /** The elements and parts that exceptions have left out, and the first exception; absent if there are none: they are bugs of the service. */
  readonly skipped?: { readonly count: number; readonly first: string };
  readonly secrets?: ObservedSecrets;
}

/** The secrets of a document: they go no further than the service's mask. */
export interface ObservedSecrets {
  /** The values of its password and one-time-code fields, and those that they have had. */
  readonly values: readonly string[];
  readonly keys: readonly number[];
}

/** The interactive elements and iframes of a frame, and a description of its page. */
export interface DocumentObservation {
  readonly elements: readonly ObservedElement[];
  readonly frames: readonly ObservedFrame[];
  readonly url: string;
  readonly title: string;
  /** The beginning of the description, without a full stop. */
  readonly description: string;
  readonly summary: string;
  readonly category: SpaceCategory;
  /** Number of new custom elements without an open shadow tree: each may have a closed one; see `PageAgent.closedHost`. */
  readonly closedHosts: number;
  /** Number of custom elements that may state role and state only to the browser; see `PageAgent.statedHost`. */
  readonly statedHosts: number;
  /** Number of those of them, the first ones, whose traits are not known yet. */
  readonly newStatedHosts: number;
  /** Largest distance in CSS pixels by which the document, or a listed region of it, can still be scrolled down. */
  readonly scrollableDown: number;
  /** Largest distance in CSS pixels by which the document, or a listed region of it, can still be scrolled up. */
  readonly scrollableUp: number;
}

/** Traits that a custom element states to the browser, where no script can read it (`ElementInternals`). */
export interface StatedTraits {
  readonly role: string;
  readonly name: string;
  readonly value: string;
  /** The number and the range of a slider or a spinbutton; null for those that it does not state. */
  readonly number: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly checked: boolean | null;
  readonly expanded: boolean | null;
  readonly selected: boolean;
  readonly disabled: boolean;
}

export interface ObserveOptions {
  /** The traits that the `statedHosts` of the last observation state, in their order; null for one that states no role. */
  readonly stated?: readonly (StatedTraits | null)[];
  /** For each node that has event listeners, the event types of its listeners; in the order of the `nodes` of `PageAgent.observe`. */
  readonly listenerTypes: readonly (readonly string[])[];
  /** True when the observed frame is the top frame of its page. */
  readonly top: boolean;
  /** The `textHashes` of the document that the tab showed before; absent if this document was observed before. */
  readonly earlierTextHashes?: string;
  readonly text?: boolean;
  /** True to observe the document again in place of the last observation, with the same observation before. */
  readonly repeats?: boolean;
}

/** The current state of a listed element: the result of `PageAgent.resolve`. */
export type ElementResolution =
  | { readonly state: 'gone' }
  | {
      readonly state: 'present';
      readonly fingerprint: string;
      /** False when the element is in another row, or in another month of a calendar, than when it was listed. */
      readonly hasSameContext: boolean;
      readonly control: Control;
      readonly status: ActionStatus;
      /** True when something else receives the press on the element, for it, and decides by the position. */
      readonly through: boolean;
      /** False when the element has no box of its own, so that the box is that of its label or its editor. */
      readonly hasBox: boolean;
      /** For a covered element, the description of the element on top; else null. */
      readonly coveredBy: string | null;
      /** The key of the element on top; null if the element is not covered or the one on top is not listed. */
      readonly coveredByKey: number | null;
      /**
       * A point in the box where a click reaches the element, if a click on the center does not: arcs, wrapped text,
       * partly covered boxes. Offset from the top left corner in CSS pixels; null when the center works.
       */
      readonly point: readonly [number, number] | null;
      /**
       * The point of the viewport of the element's frame at which a press reaches the element now; null when the element
       * must be scrolled into view, is covered or has no box.
       */
      readonly inView: readonly [number, number] | null;
      /** True if a box that keeps its place in the window while the page scrolls covers the element. */
      readonly isBelowBar: boolean;
      /** True if the element is not rendered until the pointer is over the element around it. */
      readonly shownOnHover: boolean;
      /** True for a scrollable region, which is pressed only where nothing listed lies on it. */
      readonly isRegion: boolean;
      /** True for a text field that is read-only. */
      readonly readOnly: boolean;
      readonly focused: boolean;
    };

/** Default values of fields of `ObservedElement`: `toCompact` omits a field that has its default value. */
const DEFAULTS = {
  role: null,
  status: 'valid',
  params: [],
  value: null,
  checked: null,
  disabled: false,
  expanded: null,
  gesture: null,
  inViewport: true,
  layer: null,
} as const satisfies Partial<ObservedElement>;

type CompactElement = Partial<Omit<ObservedElement, 'category' | 'fingerprint'>> &
  Pick<ObservedElement, 'key' | 'letter' | 'control' | 'name' | 'description' | 'box'> & {
    /** Index of the element's category in `CompactFrameObservation.categories`. */
    readonly category: number;
    /** The fingerprint without `role|name|` at its beginning; absent when `fingerprint` is set. */
    readonly print?: string;
    /** The whole fingerprint; set only when it does not start with `role|name|`. */
    readonly fingerprint?: string;
  };

/** A `FrameObservation` without repeated values: fields with default values are absent, and each category is sent once. */
export interface CompactFrameObservation extends Omit<FrameObservation, 'elements'> {
  readonly elements: readonly CompactElement[];
  readonly categories: readonly string[];
}

/** Returns the compact form of an observation, as JSON. Runs in the page. */
export function toCompact(observation: FrameObservation): string {
  const categories = new Map<string, number>();
  const usual = Object.entries(DEFAULTS).filter(([name]) => name !== 'params');
  const elements = observation.elements.map(element => {
    const { category, fingerprint, params } = element;
    const number = categories.get(category) ?? categories.size;
    categories.set(category, number);
    const prefix = fingerprintPrefix(element);
    const compact: Record<string, unknown> = { ...element, category: number };
    // JSON leaves out what is undefined.
    for (const [name, value] of usual) if (compact[name] === value) compact[name] = undefined;
    if (params.length === 0) compact.params = undefined;
    if (!fingerprint.startsWith(prefix)) return compact;
    return Object.assign(compact, { fingerprint: undefined, print: fingerprint.slice(prefix.length) });
  });
  return JSON.stringify({ ...observation, elements, categories: [...categories.keys()] });
}

export function fromCompact({ elements, categories, ...rest }: CompactFrameObservation): FrameObservation {
  return {
    ...rest,
    elements: elements.map(({ category, print, fingerprint, ...fields }) => {
      const element = { ...DEFAULTS, ...fields, category: categories[category] ?? '', fingerprint: '' };
      element.fingerprint = fingerprint ?? fingerprintPrefix(element) + (print ?? '');
      return element;
    }),
  };
}

const fingerprintPrefix = ({ role, name }: Pick<ObservedElement, 'role' | 'name'>): string =>
  `${role ?? ''}|${name}|`;
