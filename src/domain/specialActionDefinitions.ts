/**
 * The special and browser actions, whose ids begin with S. They belong to the browser, not to an element of the page. Each
 * is one entry of `SPECIAL_ACTION_DEFINITIONS`. The lists, schema texts and documents are made from these entries. The code that
 * performs them is in `src/browser/act/special/`; an entry without such code does not compile.
 */
import type { Action, ActionParam, ParamType } from './action.ts';
import { MAX_WAIT_SECONDS } from './inputFields.ts';

/** The state of the browser. It determines which browser actions apply. */
export interface BrowserState {
  /** Largest number of pixels by which the page, or a listed region of it, can still be scrolled down. */
  readonly scrollableDown: number;
  /** Largest number of pixels by which the page, or a listed region of it, can still be scrolled up. */
  readonly scrollableUp: number;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly active: boolean }[];
  /** How many files the file chooser takes that the page has opened; null if none is open. */
  readonly fileChooser: 'one' | 'several' | null;
  /** Kind of the open dialog; null if none is open. */
  readonly dialog: 'alert' | 'confirm' | 'prompt' | 'beforeunload' | null;
}

/** One special or browser action: how it is listed, described and performed. */
export interface SpecialActionDefinition {
  /** `special`: listed on every page. `browser`: listed only when it applies. */
  readonly kind: 'special' | 'browser';
  /** Name of the action in lists and in the event log. */
  readonly name: string;
  readonly description: string;
  /** Parameters of the action; absent if it has none. */
  readonly params?: readonly ActionParam[];
  /** Describes the `value` that the caller passes, in Markdown; absent if the action takes none. */
  readonly value?: {
    readonly description: string;
    readonly isRequired: boolean;
    /** The value in a few words, for lists of actions: `id or point`. */
    readonly label: string;
    /** More sentences about the value, for the documentation. */
    readonly details?: string;
  };
  /** The condition under which a browser action is listed, in words, for the documentation. */
  readonly listedWhen?: string;
  /** Returns true if the action applies; absent if it always does. While a dialog is open, only actions with `answersDialog` apply. */
  readonly appliesTo?: (state: BrowserState) => boolean;
  /** Returns the fields of the listed action that depend on the state of the browser. They replace the fixed ones. */
  readonly fieldsFor?: (state: BrowserState) => Partial<Pick<Action, 'description' | 'params'>>;
  /** False if the step does not wait until the page has settled. Default true. */
  readonly settles?: boolean;
  /** True if the action answers the open dialog. Every other action first dismisses the dialog. */
  readonly answersDialog?: boolean;
  /** True if the action leaves the page or ends the session, so that the service does not reload a crashed page before it. */
  readonly leavesPage?: boolean;
  /** Work of the service after the step: scrape the page, take a screenshot or end the session. Absent for none. */
  readonly requests?: 'scrape' | 'screenshot' | 'terminate';
}

const param = (
  name: string,
  type: ParamType = 'string',
  values: readonly string[] | null = null,
): ActionParam => ({ name, type, default: null, values });

const required = (label: string, description: string) => ({ label, description, isRequired: true });
const optional = (label: string, description: string) => ({ label, description, isRequired: false });

/** Describes where the pointer acts, for the values of gestures and for the failures of a wrong value. */
export const POINTER_TARGET_GRAMMAR =
  'the id of an element (`B1`), a point of it in pixels from its top left corner (`B1@5,5`), or a point of the visible page (`@400,300`)';
/** Describes the keys that are held during a gesture. */
export const MODIFIER_GRAMMAR =
  'Keys that are held meanwhile (`Shift`, `Control`, `Alt`, `Meta`) stand before it: `Shift+B1`, `Control+Alt+B1@5,5`.';
/** The maximum of S20 (press and hold), in seconds. */
export const MAX_HOLD_SECONDS = 10;

/** The special and browser actions by id, in the order of their ids. */
export const SPECIAL_ACTION_DEFINITIONS = {
  S1: {
    kind: 'special',
    name: 'goto',
    description: 'Go to a web address',
    params: [param('url')],
    value: required('url', 'a web address'),
    settles: false,
    leavesPage: true,
  },
  S2: {
    kind: 'special',
    name: 'scrape',
    description: "Scrape the current page's content",
    settles: false,
    requests: 'scrape',
  },
  S3: {
    kind: 'special',
    name: 'screenshot',
    description: 'Take a screenshot of the current page',
    settles: false,
    requests: 'screenshot',
  },
  S4: {
    kind: 'special',
    name: 'back',
    description: 'Go back one page in the history',
  },
  S5: {
    kind: 'special',
    name: 'forward',
    description: 'Go forward one page in the history',
  },
  S6: {
    kind: 'special',
    name: 'refresh',
    description: 'Reload the current page',
  },
  S7: {
    kind: 'special',
    name: 'wait',
    description: `Wait for a number of seconds (at most ${MAX_WAIT_SECONDS})`,
    params: [param('seconds', 'number')],
    value: required('seconds', 'a number of seconds'),
    settles: false,
  },
  S8: {
    kind: 'special',
    name: 'terminate',
    description: 'End the session',
    settles: false,
    leavesPage: true,
    requests: 'terminate',
  },
  S9: {
    kind: 'browser',
    name: 'scroll down',
    description: 'Scroll down by a page, by pixels, or in the region with the given id',
    params: [param('pixels')],
    value: {
      ...optional(
        'pixels or region id',
        'pixels, or the id of a scrollable region, with pixels (`B4 300`) or without',
      ),
      details: 'Without a value: one page. A region that only scrolls sideways scrolls sideways.',
    },
    listedWhen: 'the page or a region can be scrolled down',
    appliesTo: state => state.scrollableDown > 0,
  },
  S10: {
    kind: 'browser',
    name: 'scroll up',
    description: 'Scroll up by a page, by pixels, or in the region with the given id',
    params: [param('pixels')],
    value: optional('pixels or region id', 'as for S9'),
    listedWhen: 'the page or a region can be scrolled up',
    appliesTo: state => state.scrollableUp > 0,
  },
  S11: {
    kind: 'browser',
    name: 'press key',
    description: 'Press a key or chord, such as Enter or Control+A',
    params: [param('key')],
    value: required('key', 'a key such as Enter or Control+A'),
    listedWhen: 'no dialog is open',
  },
  S12: {
    kind: 'browser',
    name: 'switch tab',
    description: 'Make another tab the active one',
    params: [param('tab', 'option')],
    value: required('tab id', 'the id of a tab'),
    listedWhen: 'the session has more than one tab',
    appliesTo: state => state.tabs.length > 1,
    fieldsFor: state => ({
      params: [
        param(
          'tab',
          'option',
          state.tabs.map(tab => tab.id),
        ),
      ],
    }),
  },
  S13: {
    kind: 'browser',
    name: 'close tab',
    description: 'Close the active tab',
    listedWhen: 'the session has more than one tab',
    appliesTo: state => state.tabs.length > 1,
    leavesPage: true,
  },
  S14: {
    kind: 'browser',
    name: 'accept dialog',
    description: 'Accept the open dialog',
    value: optional('text', 'the answer to a prompt; without a value: the answer that the prompt proposes'),
    listedWhen: 'a dialog is open',
    fieldsFor: ({ dialog }) => ({
      description: `Accept the open ${dialog} dialog`,
      params: dialog === 'prompt' ? [param('text')] : [],
    }),
    answersDialog: true,
  },
  S15: {
    kind: 'browser',
    name: 'dismiss dialog',
    description: 'Dismiss the open dialog',
    listedWhen: 'a dialog is open',
    fieldsFor: ({ dialog }) => ({ description: `Dismiss the open ${dialog} dialog` }),
    answersDialog: true,
  },
  S16: {
    kind: 'browser',
    name: 'hover',
    description: 'Move the mouse over an element, or a point of it such as B3@10,20',
    params: [param('action_id')],
    value: { ...required('id or point', POINTER_TARGET_GRAMMAR), details: MODIFIER_GRAMMAR },
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
        'id or point -> id or point, or quoted text',
        'two ids such as `B1,B2`, points such as `B1@5,5 -> B2@40,8` or `@10,10 -> @90,40`, uploads and a target such as `U1 -> B2`, or quoted text of the page',
      ),
      details:
        'With stops in between, `B1@0,0 -> B1@9,5 -> B1@0,9`, the pointer passes them in order. An item dropped onto another item of its list or grid takes that item\'s position. Keys that are held meanwhile stand before the first: `Alt+B1 -> B2`. `U1,U2 -> B2` drops these uploads as files. In GraphQL also as `params` `from` and `to`. Quoted text is selected (an editor\'s text first): `"from here"`, `"from here" -> "to there"`, or within one element `I1 "here"`.',
    },
    listedWhen: 'no dialog is open',
  },
  S18: {
    kind: 'browser',
    name: 'double click',
    description: 'Double-click an element, or a point such as B3@10,20',
    params: [param('action_id')],
    value: required('id or point', 'as for S16'),
    listedWhen: 'no dialog is open',
  },
  S19: {
    kind: 'browser',
    name: 'right click',
    description: 'Click an element or a point with the right button, which opens its context menu',
    params: [param('action_id')],
    value: required('id or point', 'as for S16'),
    listedWhen: 'no dialog is open',
  },
  S20: {
    kind: 'browser',
    name: 'press and hold',
    description: `Press the mouse button on an element or a point, and release it after some seconds (at most ${MAX_HOLD_SECONDS})`,
    params: [param('action_id'), param('seconds', 'number')],
    value: {
      ...required('id or point, seconds', 'as for S16; then the number of seconds'),
      details: '`B1 2` holds for two seconds. Without a number: one second.',
    },
    listedWhen: 'no dialog is open',
  },
  S21: {
    kind: 'browser',
    name: 'click',
    description: 'Click a point, or an element while keys such as Shift are held',
    params: [param('action_id')],
    value: required('point, or Shift+id', 'as for S16'),
    listedWhen: 'no dialog is open',
  },
  S22: {
    kind: 'browser',
    name: 'wheel',
    description: 'Turn the mouse wheel over an element or a point, by pixels',
    params: [param('action_id'), param('pixels')],
    value: {
      ...required('id or point, pixels', 'as for S16; then the pixels down, or the pixels right and down'),
      details: '`B1 300` turns it down by 300 pixels, `B1 -300` up, `B1 100,0` to the right.',
    },
    listedWhen: 'no dialog is open',
  },
  S23: {
    kind: 'browser',
    name: 'type text',
    description: 'Type text into whatever has the focus; a line break presses Enter',
    params: [param('text')],
    value: {
      ...required('text', 'the text to type'),
      details: 'It is added to what the focused element contains. With `enter`, Enter is pressed after it.',
    },
    listedWhen: 'no dialog is open',
  },
  S25: {
    kind: 'browser',
    name: 'choose files',
    description: 'Choose uploaded files in the file chooser that the page has opened',
    params: [param('files', 'file')],
    value: {
      ...required('upload ids', 'the ids of uploads, such as `U1` or `U1,U2`'),
      details: 'A file input that is listed takes the ids itself.',
    },
    listedWhen: 'the page has opened a file chooser',
    appliesTo: state => state.fileChooser !== null,
    fieldsFor: ({ fileChooser }) => ({
      description: `Choose ${fileChooser === 'several' ? 'uploaded files' : 'an uploaded file'} in the file chooser that the page has opened`,
    }),
  },
} as const satisfies Readonly<Record<`S${number}`, SpecialActionDefinition>>;

export type SpecialActionId = keyof typeof SPECIAL_ACTION_DEFINITIONS;
