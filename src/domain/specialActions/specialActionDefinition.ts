/** The shape of a special or browser action, the gestures, and the conditions of a wait. The actions are entries of `SPECIAL_ACTION_DEFINITIONS`. */
import type { Action, ActionParam, ParamType } from '../space/action.ts';

/** The state of the browser. It determines which browser actions apply. */
export interface BrowserState {
  /** Largest number of pixels by which the page, or a listed region of it, can still be scrolled down. */
  readonly scrollableDown: number;
  /** Largest number of pixels by which the page, or a listed region of it, can still be scrolled up. */
  readonly scrollableUp: number;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly active: boolean }[];
  /** The number of files that the open file chooser takes; null if none is open. */
  readonly fileChooser: 'one' | 'several' | null;
  /** Kind of the open dialog; null if none is open. */
  readonly dialog: 'alert' | 'confirm' | 'prompt' | 'beforeunload' | null;
}

export interface SpecialActionDefinition {
  /** `special`: listed on every page. `browser`: listed only when it applies. */
  readonly kind: 'special' | 'browser';
  readonly name: string;
  /** Name in `space.markdown`, if that is shorter. */
  readonly shortName?: string;
  readonly description: string;
  readonly params?: readonly ActionParam[];
  /** Describes the `value` that the caller passes, in Markdown; absent if the action takes none. */
  readonly value?: {
    readonly description: string;
    readonly isRequired: boolean;
    /** The value in a few words, for lists of actions: `id or @x,y`; empty if the name says it. */
    readonly label: string;
    /** More sentences about the value, for the documentation. */
    readonly details?: string;
  };
  /** The condition under which a browser action is listed, in words, for the documentation. */
  readonly listedWhen?: string;
  /** Returns true if the action applies; absent if it always does. While a dialog is open, only actions with `answersDialog` apply. */
  readonly appliesTo?: (state: BrowserState) => boolean;
  /** The fields of the listed action that depend on the state of the browser. They replace the fixed ones. */
  readonly fieldsFor?: (state: BrowserState) => Partial<Pick<Action, 'description' | 'params'>>;
  /** False if the step does not wait until the page has settled. Default true. */
  readonly settles?: boolean;
  /** True if the action answers the open dialog. Every other action first dismisses the dialog. */
  readonly answersDialog?: boolean;
  /** True if the action leaves the page or ends the session, so that the service does not reload a crashed page before it. */
  readonly leavesPage?: boolean;
  /** False if the session needs no observation before the action, because it does nothing with the page. Default true. */
  readonly actsOnPage?: boolean;
  /** Work of the service after the step: scrape the page, take a screenshot or end the session. Absent for none. */
  readonly requests?: 'scrape' | 'screenshot' | 'terminate';
}

/** Returns a parameter of an action. @param values the allowed values; null if any value is allowed */
export const param = (
  name: string,
  type: ParamType = 'string',
  values: readonly string[] | null = null,
): ActionParam => ({ name, type, default: null, values });

/** Describes a value that the caller must pass. @param label the value in a few words, for lists; empty if the name says it */
export const required = (label: string, description: string) => ({ label, description, isRequired: true });

/** Describes a value that the caller can leave out. @param label the value in a few words, for lists; empty if the name says it */
export const optional = (label: string, description: string) => ({ label, description, isRequired: false });

/** Describes where the pointer acts, for the values of gestures and for the failures of a wrong value. */
export const POINTER_TARGET_GRAMMAR =
  'the id of an element (`B1`), a point of it in pixels from its top left corner (`B1@5,5`), a time of a day that takes one (`B1 10:30`), a point of the visible page (`@400,300`), or quoted words that the page shows (`"Report"`)';
/** Describes the keys that are held during a gesture. */
export const MODIFIER_GRAMMAR =
  'Keys that are held meanwhile (`Shift`, `Control`, `Alt`, `Meta`) stand before it: `Shift+B1`, `Control+Alt+B1@5,5`.';
/** The value of most gestures in a few words, for lists. The same words, so that lists name these gestures together. */
const POINTER_TARGET = 'id or @x,y';
/** The maximum of S20 (press and hold), in seconds. */
export const MAX_HOLD_SECONDS = 10;

/** The gestures by id, in the order of their ids. */
export const GESTURE_DEFINITIONS = {
  S16: {
    kind: 'browser',
    name: 'hover',
    description: 'Move the mouse over an element, or a point of it such as B3@10,20',
    params: [param('action_id')],
    value: { ...required(POINTER_TARGET, POINTER_TARGET_GRAMMAR), details: MODIFIER_GRAMMAR },
    listedWhen: 'no dialog is open',
  },
  S17: {
    kind: 'browser',
    name: 'drag',
    description:
      'Drag one element onto another, or a point such as B3@10,20; drop an upload onto it; or select quoted text of the page',
    params: [param('from'), param('to')],
    value: {
      ...required(
        'from->to',
        'two ids such as `B1,B2`, points such as `B1@5,5 -> B2@40,8` or `@10,10 -> @90,40`, times of days such as `B1 10:00 -> B1 11:30`, uploads and a target such as `U1 -> B2` or `U1 -> "Drop here"`, or quoted text of the page or of a field',
      ),
      details:
        'With stops in between, `B1@0,0 -> B1@9,5 -> B1@0,9`, the pointer passes them in order. An item dropped onto another item of its list or grid takes that item\'s position. Keys that are held meanwhile stand before the first: `Alt+B1 -> B2`. `U1,U2 -> B2` drops these uploads as files. In GraphQL also as `params` `from` and `to`. Quoted text is selected (an editor\'s text first): `"from here"`, `"from here" -> "to there"`, or within one element `I1 "here"`.',
    },
    listedWhen: 'no dialog is open',
  },
  S18: {
    kind: 'browser',
    name: 'double click',
    shortName: 'dblclick',
    description: 'Double-click an element, or a point such as B3@10,20',
    params: [param('action_id')],
    value: required(POINTER_TARGET, 'as for S16'),
    listedWhen: 'no dialog is open',
  },
  S19: {
    kind: 'browser',
    name: 'right click',
    description: 'Click an element or a point with the right button, which opens its context menu',
    params: [param('action_id')],
    value: required(POINTER_TARGET, 'as for S16'),
    listedWhen: 'no dialog is open',
  },
  S20: {
    kind: 'browser',
    name: 'press and hold',
    shortName: 'hold',
    description: `Press the mouse button on an element or a point, and release it after some seconds (at most ${MAX_HOLD_SECONDS})`,
    params: [param('action_id'), param('seconds', 'number')],
    value: {
      ...required(POINTER_TARGET, 'as for S16; then the number of seconds'),
      details: '`B1 2` holds for two seconds. Without a number: one second.',
    },
    listedWhen: 'no dialog is open',
  },
  S21: {
    kind: 'browser',
    name: 'click',
    description: 'Click a point, or an element while keys such as Shift are held',
    params: [param('action_id')],
    value: required(POINTER_TARGET, 'as for S16'),
    listedWhen: 'no dialog is open',
  },
  S22: {
    kind: 'browser',
    name: 'wheel',
    description: 'Turn the mouse wheel over an element or a point, by pixels',
    params: [param('action_id'), param('pixels')],
    value: {
      ...required(POINTER_TARGET, 'as for S16; then the pixels down, or the pixels right and down'),
      details: '`B1 300` turns it down by 300 pixels, `B1 -300` up, `B1 100,0` to the right.',
    },
    listedWhen: 'no dialog is open',
  },
  S23: {
    kind: 'browser',
    name: 'type text',
    shortName: 'type',
    description: 'Type text into whatever has the focus; a line break presses Enter',
    params: [param('text')],
    value: {
      ...required('', 'the text to type'),
      details: 'It is added to what the focused element contains. With `enter`, Enter is pressed after it.',
    },
    listedWhen: 'no dialog is open',
  },
} as const satisfies Readonly<Record<`S${number}`, SpecialActionDefinition>>;

/** Maximum wait of the special action S7 (wait), in seconds. */
export const MAX_WAIT_SECONDS = 30;

/** The condition for which an operation waits at the request of its caller (`wait_for`), and the grammar of that request. */

export type WaitCondition =
  | {
      /** `text`: text that the page shows. `action`: an action whose description contains the text. */
      readonly kind: 'text' | 'action';
      /** Compared without regard to case and white space. */
      readonly text: string;
      /** False: wait until it is not there any more. */
      readonly isPresent: boolean;
    }
  /** No request of the page is open; polls and streams do not count. */
  | { readonly kind: 'network' };

/** Default of the maximum wait for a condition. Milliseconds. */
export const DEFAULT_WAIT_FOR_MS = 10_000;
/** Default of the maximum wait for what an operation has begun. Milliseconds. */
export const DEFAULT_WAIT_MS = 5_000;
export const MAX_WAIT_MS = 60_000;

/** The grammar in one sentence, for schema texts and failures. */
export const WAIT_FOR_GRAMMAR =
  '`text "Saved"`, `no text "Loading"`, `action "Checkout"`, `no action "Cancel"` or `network quiet`';

const PATTERN = /^(?:(no)\s+)?(text|action)\s+["“”](.+)["“”]$/is;
/** Matches two conditions in one text: only one can be awaited. */
const COMPOUND = /["“”]\s*(?:,|;|&&|\|\||\band\b|\bor\b)\s*(?:no\s+)?(?:(?:text|action)\s+["“”]|network\s)/i;
const NETWORK_PATTERN = /^network\s+(?:is\s+)?(?:quiet|idle)$/i;

/** Parses a condition. @returns null if the text does not follow the grammar */
export function parseWaitCondition(text: string): WaitCondition | null {
  const trimmed = text.trim();
  if (NETWORK_PATTERN.test(trimmed)) return { kind: 'network' };
  const [, no, kind = '', quoted = ''] = PATTERN.exec(trimmed) ?? [];
  if (kind === '' || quoted.trim() === '' || COMPOUND.test(trimmed)) return null;
  return {
    kind: kind.toLowerCase() === 'text' ? 'text' : 'action',
    text: quoted.trim(),
    isPresent: no === undefined,
  };
}

/** Returns a text as conditions compare it: as lists write it (double quotes are single ones), without regard to case and white space. */
export const comparableText = (text: string): string =>
  text.replace(/\s+/g, ' ').replaceAll('"', "'").trim().toLowerCase();

export const waitConditionText = (condition: WaitCondition): string =>
  condition.kind === 'network'
    ? 'network quiet'
    : `${condition.isPresent ? '' : 'no '}${condition.kind} "${condition.text}"`;
