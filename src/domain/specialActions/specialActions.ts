import type { Action } from '../space/action.ts';
import {
  type BrowserState,
  DEFAULT_WAIT_FOR_MS,
  GESTURE_DEFINITIONS,
  MAX_WAIT_SECONDS,
  optional,
  param,
  required,
  type SpecialActionDefinition,
  WAIT_FOR_GRAMMAR,
} from './specialActionDefinition.ts';

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
    actsOnPage: false,
  },
  S2: {
    kind: 'special',
    name: 'scrape',
    description: "Scrape the current page's content",
    settles: false,
    requests: 'scrape',
    actsOnPage: false,
  },
  S3: {
    kind: 'special',
    name: 'screenshot',
    description: 'Take a screenshot of the current page',
    settles: false,
    requests: 'screenshot',
    actsOnPage: false,
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
    value: required('s', 'a number of seconds'),
    settles: false,
    actsOnPage: false,
  },
  S8: {
    kind: 'special',
    name: 'terminate',
    shortName: 'end',
    description: 'End the session',
    settles: false,
    leavesPage: true,
    requests: 'terminate',
    actsOnPage: false,
  },
  S9: {
    kind: 'browser',
    name: 'scroll down',
    description: 'Scroll down by a page, by pixels, or in the region with the given id',
    params: [param('pixels')],
    value: {
      ...optional(
        'pixels or id',
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
    value: optional('pixels or id', 'as for S9'),
    listedWhen: 'the page or a region can be scrolled up',
    appliesTo: state => state.scrollableUp > 0,
  },
  S11: {
    kind: 'browser',
    name: 'press key',
    shortName: 'key',
    description: 'Press a key or chord, such as Enter or Control+A',
    params: [param('key')],
    value: required('', 'a key such as Enter or Control+A'),
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
      description: `Accept the open ${dialog} dialog${dialog === 'beforeunload' ? ': leave the page' : ''}`,
      params: dialog === 'prompt' ? [param('text')] : [],
    }),
    answersDialog: true,
  },
  S15: {
    kind: 'browser',
    name: 'dismiss dialog',
    description: 'Dismiss the open dialog',
    listedWhen: 'a dialog is open',
    fieldsFor: ({ dialog }) => ({
      description: `Dismiss the open ${dialog} dialog${dialog === 'beforeunload' ? ': stay on the page' : ''}`,
    }),
    answersDialog: true,
  },
  ...GESTURE_DEFINITIONS,
  S24: {
    kind: 'browser',
    name: 'wait for',
    description: 'Wait until a text or an action appears or disappears, or the network is quiet',
    params: [param('condition')],
    value: {
      ...required('', `the condition: ${WAIT_FOR_GRAMMAR}`),
      details: `It is met at the latest after \`wait_ms\` (default ${DEFAULT_WAIT_FOR_MS} ms), else WAIT_TIMEOUT.`,
    },
    listedWhen: 'no dialog is open',
    settles: false,
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

type Kind = SpecialActionDefinition['kind'];

const ENTRIES = Object.entries(SPECIAL_ACTION_DEFINITIONS) as readonly (readonly [
  SpecialActionId,
  SpecialActionDefinition,
])[];

export const isSpecialActionId = (id: string): id is SpecialActionId =>
  Object.hasOwn(SPECIAL_ACTION_DEFINITIONS, id);

export const findSpecialAction = (id: string): SpecialActionDefinition | null =>
  isSpecialActionId(id) ? SPECIAL_ACTION_DEFINITIONS[id] : null;

export const SPECIAL_ACTIONS: readonly Action[] = ENTRIES.filter(([, { kind }]) => kind === 'special').map(
  ([id, definition]) => toAction(id, definition),
);

/** The browser actions without what depends on the state of the browser. */
const BROWSER_ACTIONS = ENTRIES.filter(([, { kind }]) => kind === 'browser').map(([id, definition]) => ({
  action: toAction(id, definition),
  definition,
}));

/** Returns the browser actions that apply in this state. While a dialog is open, only the actions that answer it apply. */
export function browserActions(state: BrowserState): readonly Action[] {
  const actions: Action[] = [];
  for (const { action, definition } of BROWSER_ACTIONS) {
    const { answersDialog = false, appliesTo, fieldsFor } = definition;
    if (answersDialog !== (state.dialog !== null) || appliesTo?.(state) === false) continue;
    actions.push(fieldsFor === undefined ? action : { ...action, ...fieldsFor(state) });
  }
  return actions;
}

function toAction(
  id: SpecialActionId,
  { kind, name, description, params = [] }: SpecialActionDefinition,
): Action {
  return {
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
  };
}

/** Returns the first and last id of the actions of a kind, or of both kinds, as text such as `S1 to S8`. */
export function specialActionRange(kind?: Kind): string {
  const ids = ENTRIES.filter(([, definition]) => kind === undefined || definition.kind === kind).map(
    ([id]) => id,
  );
  return `${ids.at(0)} to ${ids.at(-1)}`;
}

/** Returns the names of the actions of a kind, for descriptions. @example 'scroll down, scroll up, press key, …' */
export const specialActionNames = (kind: Kind): string =>
  ENTRIES.filter(([, definition]) => definition.kind === kind)
    .map(([, { name }]) => name)
    .join(', ');

/**
 * Returns the names of special and browser actions in one line, with what their values are. Actions with the same kind of value stand
 * together, and the last of them has it: `S4 back, S5 forward; S16 hover, S18 double click(id or @x,y)`.
 */
export function specialActionLine(actions: readonly Action[]): string {
  const groups = new Map<string, string>();
  for (const { id, name, description, params } of actions) {
    const definition = DEFINITIONS[id];
    const shown = `${id} ${definition?.shortName ?? name ?? description}`;
    const label = params.length === 0 ? '' : (definition?.value?.label ?? '');
    const before = groups.get(label);
    groups.set(label, before === undefined ? shown : `${before}, ${shown}`);
  }
  const texts: string[] = [];
  for (const [label, names] of groups) texts.push(label === '' ? names : `${names}(${label})`);
  return texts.join('; ');
}

const DEFINITIONS: Readonly<Record<string, SpecialActionDefinition>> = Object.assign(
  Object.create(null),
  SPECIAL_ACTION_DEFINITIONS,
);

/** Describes the `value` of a step in Markdown: of actions on elements, then of each special action that takes one. */
export const stepValueDescription = (): string =>
  [
    'A text, an option, `true` or `false`, a date or time, or the id of an upload. Dates and times are in ISO form. Several options or ids: one per line. Up to 1,000,000 characters; the whole request must also fit the body limit of the service in bytes (default 1 MiB).',
    'A click takes none, or a point `x,y` in pixels from the top left corner of the element.',
    'A media player takes `play`, `pause`, `mute`, `unmute`, `seek 12` (seconds) or `volume 40` (per cent).',
    'Special actions:\n',
    ...ENTRIES.flatMap(([id, { name, value }]) =>
      value === undefined ? [] : [`\n- ${id} ${name}, ${valueCell(value)}`],
    ),
  ].join(' ');

/** Returns the special and browser actions as a Markdown table, for docs/contract.md. */
export function specialActionTable(): string {
  const row = ([id, { description, value, listedWhen = 'always' }]: (typeof ENTRIES)[number]): string =>
    `| ${id} | ${description} | ${listedWhen} | ${value === undefined ? '' : valueCell(value)} |`;
  return ['| Id | Action | Listed when | `value` |', '|---|---|---|---|', ...ENTRIES.map(row)].join('\n');
}

const valueCell = ({
  isRequired,
  description,
  details,
}: NonNullable<SpecialActionDefinition['value']>): string =>
  `${isRequired ? 'required' : 'optional'}: ${description}${details === undefined ? '' : `. ${details}`}`;
