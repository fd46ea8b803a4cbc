/** What an agent can do on a page: one listed action, and the ones every page has. */

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

const specialAction = (
  id: string,
  kind: 'special' | 'browser',
  name: string,
  description: string,
  params: readonly ActionParam[] = [],
): Action => ({
  id,
  kind,
  description,
  category: kind === 'special' ? 'Special actions' : 'Browser actions',
  status: 'valid',
  params,
  role: null,
  name,
  value: null,
  checked: null,
  disabled: false,
  expanded: null,
  inViewport: true,
  bounds: null,
  frame: null,
  fingerprint: '',
});

const param = (
  name: string,
  type: ParamType = 'string',
  values: readonly string[] | null = null,
): ActionParam => ({
  name,
  type,
  default: null,
  values,
});

/** The eight that are always there. */
export const SPECIAL_ACTIONS: readonly Action[] = [
  specialAction('S1', 'special', 'goto', 'Go to a web address', [param('url')]),
  specialAction('S2', 'special', 'scrape', "Scrape the current page's content"),
  specialAction('S3', 'special', 'screenshot', 'Take a screenshot of the current page'),
  specialAction('S4', 'special', 'back', 'Go back one page in the history'),
  specialAction('S5', 'special', 'forward', 'Go forward one page in the history'),
  specialAction('S6', 'special', 'refresh', 'Load the current page anew'),
  specialAction('S7', 'special', 'wait', 'Wait for a number of seconds (at most 30)', [
    param('seconds', 'number'),
  ]),
  specialAction('S8', 'special', 'terminate', 'End the session'),
];

/** What decides which browser actions apply now. */
export interface BrowserState {
  /** Pixels that the page, or a listed region of it, can still be scrolled, each way. */
  readonly scrollableDown: number;
  readonly scrollableUp: number;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly active: boolean }[];
  /** An open dialog's kind, or null. */
  readonly dialog: 'alert' | 'confirm' | 'prompt' | 'beforeunload' | null;
  /** Whether the page lists any element, or has scrollable regions of its own. */
  readonly hasElements: boolean;
}

/** The browser actions (S9 to S17) that apply now. With a dialog open only the dialog's are. */
export function browserActions(state: BrowserState): readonly Action[] {
  if (state.dialog !== null) {
    const text = state.dialog === 'prompt' ? [param('text')] : [];
    const accept = specialAction(
      'S14',
      'browser',
      'accept dialog',
      `Accept the open ${state.dialog} dialog`,
      text,
    );
    const dismiss = specialAction(
      'S15',
      'browser',
      'dismiss dialog',
      `Dismiss the open ${state.dialog} dialog`,
    );
    return [accept, dismiss];
  }
  const actions: Action[] = [];
  if (state.scrollableDown > 0)
    actions.push(
      specialAction(
        'S9',
        'browser',
        'scroll down',
        'Scroll down by a page, by pixels, or in the region with that id',
        [param('pixels')],
      ),
    );
  if (state.scrollableUp > 0)
    actions.push(
      specialAction(
        'S10',
        'browser',
        'scroll up',
        'Scroll up by a page, by pixels, or in the region with that id',
        [param('pixels')],
      ),
    );
  actions.push(
    specialAction('S11', 'browser', 'press key', 'Press a key or chord, such as Enter or Control+A', [
      param('key'),
    ]),
  );
  if (state.tabs.length > 1) {
    const ids = state.tabs.map(tab => tab.id);
    actions.push(
      specialAction('S12', 'browser', 'switch tab', 'Make another tab the active one', [
        param('tab', 'option', ids),
      ]),
    );
    actions.push(specialAction('S13', 'browser', 'close tab', 'Close the active tab'));
  }
  if (state.hasElements) {
    actions.push(
      specialAction(
        'S16',
        'browser',
        'hover',
        'Move the mouse over an element, or a point of it such as B3@10,20',
        [param('action_id')],
      ),
    );
    actions.push(
      specialAction(
        'S17',
        'browser',
        'drag',
        'Drag one element onto another, or a point such as B3@10,20; or select words of the page, given in quotes',
        [param('from'), param('to')],
      ),
    );
  }
  return actions;
}
