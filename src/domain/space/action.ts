/** The change of an icon, of classes or of an editor's formatting; a list states it if nothing else of the element has changed. */
export interface ActionLook {
  /** The same number stands for the same look of a control. 0 for the first one; -1 if there were too many. An editor gets a new one with each change. */
  readonly number: number;
  /** `class`, `formatting`: it has got these classes or formats; `no class`, `no formatting`: it has lost them. */
  readonly part: 'icon' | 'alt' | 'title' | 'class' | 'no class' | 'formatting' | 'no formatting';
  /** The words of the icon (empty if the page gives none), its alternative text, the tooltip, the classes, or the names of the formats. */
  readonly words: string;
  /** The classes that it has lost together with the new ones of `words`; absent for none. */
  readonly lost?: string;
}

/** `link` L, `button` (any other clickable element) B, `input` (takes a value) I, `special` and `browser` S: the first letters of ids. */
export const ACTION_KINDS = ['link', 'button', 'input', 'special', 'browser'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** `valid`: can be performed now, scrolling included. `excluded`: disabled. `covered`: by another element. `clipped`: by a box that cannot be scrolled. */
export const ACTION_STATUSES = ['valid', 'excluded', 'covered', 'clipped'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** `top`: in a dialog, menu or list above the page. `fixed`: stays in place when the page scrolls. `below`: covered by a dialog or veil. */
export type ActionLayer = 'top' | 'fixed' | 'below';

/** The types of action parameters: what kind of value the caller passes. `option` is one of `values`, `options` several. */
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

export interface ActionParam {
  readonly name: string;
  readonly type: ParamType;
  /** The value that the service uses if the caller passes none; null if there is no default. */
  readonly default: string | null;
  /** The allowed values (the labels of a select), or one hint of the form `min..max step n`; null if any value is allowed. */
  readonly values: readonly string[] | null;
}

/** A rectangle on the page, in CSS pixels relative to the viewport of the top page. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The caret and the selection of the element that has the focus. */
export interface ActionFocus {
  /** Position of the caret in the value, in UTF-16 units; null if it is not known. */
  readonly caret: number | null;
  /** The selected text on one line; empty for none. */
  readonly selected: string;
}

export interface Action {
  /** `L1`, `B2`, `I3`, `S4`. The id of an element stays the same until the page is loaded again or left. */
  readonly id: string;
  readonly kind: ActionKind;
  /** Role, accessible name (verbatim) and state: the text by which an agent selects the action. */
  readonly description: string;
  /** Name of the section of the page that contains the element; never empty. */
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
  /** URL of the frame that contains the element; null if the element is in the top page. */
  readonly frame: string | null;
  /** Role, name and target as one string, which changes only with the meaning. Empty for special and browser actions. */
  readonly fingerprint: string;
  readonly focus?: ActionFocus;
  /** A number that stands for the picture on a canvas; absent for other elements. */
  readonly picture?: number;
  /** The look of a control that has had more than one; else absent. */
  readonly look?: ActionLook;
  /** The layer of the page that contains the element; absent for the normal one. */
  readonly layer?: ActionLayer;
}
