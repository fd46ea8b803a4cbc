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
  /** Kind of the open dialog; null if none is open. */
  readonly dialog: 'alert' | 'confirm' | 'prompt' | 'beforeunload' | null;
  /** True if the page has at least one action on an element or a scrollable region. */
  readonly hasElements: boolean;
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

const required = (description: string) => ({ description, isRequired: true });
const optional = (description: string) => ({ description, isRequired: false });

/** The special and browser actions by id, in the order of their ids. */
export const SPECIAL_ACTION_DEFINITIONS = {
  S1: {
    kind: 'special',
    name: 'goto',
    description: 'Go to a web address',
    params: [param('url')],
    value: required('a web address'),
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
    value: required('a number of seconds'),
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
      ...optional('pixels, or the id of a scrollable region, with pixels (`B4 300`) or without'),
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
    value: optional('as for S9'),
    listedWhen: 'the page or a region can be scrolled up',
    appliesTo: state => state.scrollableUp > 0,
  },
  S11: {
    kind: 'browser',
    name: 'press key',
    description: 'Press a key or chord, such as Enter or Control+A',
    params: [param('key')],
    value: required('a key such as Enter or Control+A'),
    listedWhen: 'no dialog is open',
  },
  S12: {
    kind: 'browser',
    name: 'switch tab',
    description: 'Make another tab the active one',
    params: [param('tab', 'option')],
    value: required('the id of a tab'),
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
    value: optional('the answer to a prompt; without a value: the answer that the prompt proposes'),
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
    value: required('the id of the element to hover over, or a point of it, `B1@5,5`'),
    listedWhen: 'the page has elements',
    appliesTo: state => state.hasElements,
  },
  S17: {
    kind: 'browser',
    name: 'drag',
    description:
      'Drag one element onto another, or a point such as B3@10,20; or select quoted text of the page',
    params: [param('from'), param('to')],
    value: {
      ...required('two ids such as `B1,B2`, points such as `B1@5,5 -> B2@40,8`, or quoted text of the page'),
      details:
        'With stops in between, `B1@0,0 -> B1@9,5 -> B1@0,9`, the pointer passes them in order. An item dropped onto another item of its list or grid takes that item\'s position. In GraphQL also as `params` `from` and `to`. Quoted text is selected (an editor\'s text first): `"from here"`, `"from here" -> "to there"`, or within one element `I1 "here"`.',
    },
    listedWhen: 'the page has elements',
    appliesTo: state => state.hasElements,
  },
} as const satisfies Readonly<Record<`S${number}`, SpecialActionDefinition>>;

export type SpecialActionId = keyof typeof SPECIAL_ACTION_DEFINITIONS;
