/** Lists and texts that are made from the definitions of the special actions. */
import type { Action } from '../space/action.ts';
import type { BrowserState, SpecialActionDefinition } from './specialActionDefinition.ts';
import { SPECIAL_ACTION_DEFINITIONS, type SpecialActionId } from './specialActionDefinitions.ts';

type Kind = SpecialActionDefinition['kind'];

const ENTRIES = Object.entries(SPECIAL_ACTION_DEFINITIONS) as readonly (readonly [
  SpecialActionId,
  SpecialActionDefinition,
])[];

/** Returns true if the id is that of a special or browser action. */
export const isSpecialActionId = (id: string): id is SpecialActionId =>
  Object.hasOwn(SPECIAL_ACTION_DEFINITIONS, id);

/** Returns the definition of a special or browser action; null if none has this id. */
export const findSpecialAction = (id: string): SpecialActionDefinition | null =>
  isSpecialActionId(id) ? SPECIAL_ACTION_DEFINITIONS[id] : null;

/** The special actions, which are listed on every page. */
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

/** The definitions by id, also for ids of elements, which have none. */
const DEFINITIONS: Readonly<Record<string, SpecialActionDefinition>> = Object.assign(
  Object.create(null),
  SPECIAL_ACTION_DEFINITIONS,
);

/**
 * Describes the `value` of a step in Markdown: of actions on elements, then of each special action that takes one. For the
 * GraphQL schema and the OpenAPI document.
 */
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
