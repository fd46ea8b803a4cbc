/** A person at the controls of a session, or the agent's wait for one: what the person sees (frames, pickers) and sends (input). */

/** The take-over of a session. Times are in milliseconds since the epoch. */
export interface TakeOver {
  /** `waiting`: the agent has asked for a person. `held`: a person has the controls. */
  readonly status: 'waiting' | 'held';
  /** The task that the agent gives; null if a person has begun without a request. */
  readonly instructions: string | null;
  readonly holder: string | null;
  /** Beginning of this status. */
  readonly since: number;
  /** Time at which a request without an answer lapses; null while a person has the controls. */
  readonly until: number | null;
}

/** Number of a person's inputs (keys, buttons, fingers, texts, pastes, turns of the wheel), and of new documents in the tabs meanwhile. */
export interface InputCounts {
  readonly inputs: number;
  readonly navigations: number;
}

/** Returns the sentence that tells an agent what a person did: `a person: 6 inputs, 1 navigation`. */
export const inputCountsText = ({ inputs, navigations }: InputCounts): string =>
  `a person: ${inputs} ${inputs === 1 ? 'input' : 'inputs'}, ${navigations} ${navigations === 1 ? 'navigation' : 'navigations'}`;

const INPUT_TYPES = [
  'mouse_move',
  'mouse_down',
  'mouse_up',
  'wheel',
  'key_down',
  'key_up',
  'text',
  'compose',
  'paste',
  'touch',
  'accept_dialog',
  'dismiss_dialog',
  'choose',
  'release',
] as const;
export type InputType = (typeof INPUT_TYPES)[number];

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface KeyInput {
  readonly type: 'key_down' | 'key_up';
  /** `KeyboardEvent.key`: the character, or a name such as `Enter`. */
  readonly key: string;
  /** `KeyboardEvent.code`, such as `KeyA`; empty for a keyboard on a screen. */
  readonly code: string;
  /** `KeyboardEvent.keyCode`; 229 for a key that an input method takes. */
  readonly keyCode: number;
  /** The modifier keys that are held: Alt 1, Control 2, Meta 4, Shift 8. */
  readonly modifiers: number;
  readonly repeat: boolean;
}

export type InputEvent =
  | ({ readonly type: 'mouse_move' } & Point)
  | ({
      readonly type: 'mouse_down' | 'mouse_up';
      readonly button: 'left' | 'right';
      /** Number of clicks in a row: 2 for a double click. */
      readonly clicks: number;
    } & Point)
  | ({ readonly type: 'wheel'; readonly deltaX: number; readonly deltaY: number } & Point)
  | KeyInput
  /** A text that no key names: a character of a keyboard on a screen, or what an input method has committed. */
  | { readonly type: 'text'; readonly text: string }
  /** The text that an input method composes, which replaces the one before; an empty text cancels it. */
  | { readonly type: 'compose'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  /** The fingers on the screen after a change; none when the last one has left it. */
  | { readonly type: 'touch'; readonly points: readonly Point[] }
  /** Accepts the open dialog. `text`: the answer to a prompt; null for its default. */
  | { readonly type: 'accept_dialog'; readonly text: string | null }
  | { readonly type: 'dismiss_dialog' }
  /** Answers the open picker: with an option of it, counted from 0, or with a value in its format; with neither, it is closed. */
  | { readonly type: 'choose'; readonly option: number | null; readonly text: string | null }
  /** Releases all keys, buttons and fingers: the person has looked away. */
  | { readonly type: 'release' };

/** The pickers of the browser: a drop-down list, the suggestions for a text, and those that are named after the type of their input. */
export type PickerType =
  | 'select'
  | 'suggestions'
  | 'color'
  | 'date'
  | 'datetime_local'
  | 'month'
  | 'time'
  | 'week';

/** The picker that a page has open. Chromium draws it beside the page: it is on no picture. */
export interface OpenPicker {
  readonly type: PickerType;
  /** The present value, in the format of the input; empty for none, and for a drop-down list. */
  readonly value: string;
  /** The least and the greatest value, and the step between values; empty for the default. */
  readonly min: string;
  readonly max: string;
  readonly step: string;
  /** The options of a drop-down list, and the suggestions. */
  readonly options: readonly OpenOption[];
}

export interface OpenOption {
  readonly label: string;
  readonly selected: boolean;
  readonly disabled: boolean;
}

/** The effects of a message of input that no picture shows. */
export interface InputAnswer {
  /** The text that the page has copied meanwhile; null for none. */
  readonly copied: string | null;
  /** The picker that is open after input that may open one, and after a message without events; null for none. */
  readonly picker: OpenPicker | null;
}

/** Alt, Control, Meta and Shift in `KeyInput.modifiers`, as Chromium counts them. */
export const MODIFIER_BITS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const;

/** Returns the events without the moves of the mouse that another move follows at once: only the last of them matters. */
export const withoutPassedMoves = (events: readonly InputEvent[]): readonly InputEvent[] =>
  events.filter(({ type }, index) => !(type === 'mouse_move' && events[index + 1]?.type === 'mouse_move'));

export interface ScreencastOptions {
  /** Maximum width of an image, in pixels. Larger images are scaled down, smaller ones are not changed. */
  readonly maxWidth: number;
  /** JPEG quality, 1 to 100. */
  readonly quality: number;
  /** Minimum time between two images, in milliseconds; absent for 66. */
  readonly minIntervalMs?: number;
}

export interface ScreencastFrame {
  readonly tabId: string;
  /** JPEG, Base64. */
  readonly image: string;
  /** Width of the viewport in CSS pixels. The image has the same proportions as the viewport. */
  readonly width: number;
  readonly height: number;
  /** Time of capture, in milliseconds since the epoch. */
  readonly at: number;
}
