/** One listed action: something that an agent can do on a page. */

/** `link` ids begin with L, `button` (anything else that is clicked) with B, `input` (takes one value) with I, the others with S. */
export const ACTION_KINDS = ['link', 'button', 'input', 'special', 'browser'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/**
 * `valid`: can be done now (scrolling included). `excluded`: disabled. `covered`: something else lies on top.
 * `clipped`: cut off by a box that cannot be scrolled.
 */
export const ACTION_STATUSES = ['valid', 'excluded', 'covered', 'clipped'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

export const PARAM_TYPES = [
  'string',
  'number',
  'boolean',
  'date',
  'time',
  'option',
  'options',
  'file',
  'color',
  'range',
] as const;
export type ParamType = (typeof PARAM_TYPES)[number];

/** One value that an action takes. */
export interface ActionParam {
  readonly name: string;
  readonly type: ParamType;
  /** The value that stands if none is given; null if there is none. */
  readonly default: string | null;
  /** The allowed values (a select's labels), or a hint of the form `min..max step n`; null if free. */
  readonly values: readonly string[] | null;
}

/** A box in CSS pixels, relative to the viewport of the top page. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Action {
  /** `L1`, `B2`, `I3`, `S4`: belongs to one element of one document for as long as that lives. */
  readonly id: string;
  readonly kind: ActionKind;
  /** Role, accessible name verbatim, state; what an agent chooses by. */
  readonly description: string;
  /** The part of the page it belongs to, in words; never empty. */
  readonly category: string;
  readonly status: ActionStatus;
  readonly params: readonly ActionParam[];
  readonly role: string | null;
  readonly name: string | null;
  readonly value: string | null;
  readonly checked: boolean | null;
  readonly disabled: boolean;
  readonly expanded: boolean | null;
  readonly inViewport: boolean;
  readonly bounds: Rect | null;
  /** The URL of the frame it is in; null in the top page. */
  readonly frame: string | null;
  /** What the element means (role, name, target); changes when its meaning does. Empty for special and browser actions. */
  readonly fingerprint: string;
}
