/** An action in REST responses (specification, 2.4). */
import { z } from 'zod';
import {
  ACTION_KINDS,
  ACTION_STATUSES,
  type ActionKind,
  type ActionStatus,
  PARAM_TYPES,
  type ParamType,
} from '../../../domain/space/action.ts';
import type { SpaceFieldsFragment } from '../../graphql/generated/graphql.ts';
import { fromEnumName } from '../../http/enumName.ts';
import { ALL_FIELDS, type FieldTree, toFieldTree, type WantedFields } from './bodySelection.ts';

const ParamBody = z
  .object({
    name: z.string(),
    type: z.enum(PARAM_TYPES),
    default: z.string().nullable(),
    values: z.array(z.string()).meta({
      description:
        'The allowed values, or one entry of the form `min..max step n`; empty if any value is allowed.',
    }),
  })
  .meta({ id: 'ActionParam', description: 'A parameter of an action. Its value is sent as text.' });

export const ActionBody = z
  .object({
    id: z.string().meta({
      description: '`L1`, `B2`, `I3` or `S4`. Identifies the same element as long as its document is loaded.',
    }),
    description: z.string().meta({ description: 'Role, accessible name and state of the element.' }),
    category: z.string().meta({ description: 'The part of the page that the element is in.' }),
    kind: z.enum(ACTION_KINDS),
    status: z.enum(ACTION_STATUSES).meta({
      description:
        'valid: the action can be performed now. excluded: the element is disabled. covered: another element covers it. clipped: a box that cannot be scrolled clips it.',
    }),
    params: z.array(ParamBody).meta({ description: 'The parameters; empty for a plain click.' }),
    role: z.string().nullable().meta({ description: 'The ARIA role; null if the element has none.' }),
    name: z.string().nullable().meta({ description: 'The accessible name.' }),
    value: z
      .string()
      .nullable()
      .meta({ description: 'The current value; null if there is none. Passwords are never returned.' }),
    checked: z.boolean().nullable().meta({ description: 'null if the element cannot be checked.' }),
    disabled: z.boolean().meta({ description: 'True when the element is disabled.' }),
    expanded: z.boolean().nullable().meta({ description: 'null if the element cannot be expanded.' }),
    in_viewport: z
      .boolean()
      .meta({ description: 'True when a part of the element is visible without scrolling.' }),
    bounds: z
      .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
      .nullable()
      .meta({
        description:
          'Position and size in CSS pixels, relative to the viewport; null if the element has no box.',
      }),
    frame: z
      .string()
      .nullable()
      .meta({ description: 'The URL of the frame that the element is in; null in the main frame.' }),
    fingerprint: z.string().meta({ description: 'Changes when the meaning of the element changes.' }),
  })
  .meta({ id: 'Action', description: 'An action on a page. Send its id to /env/step.' });

/** The fields of an action that the REST routes' GraphQL documents select. */
export type ActionFields = SpaceFieldsFragment['actions'][number];
export type ActionBody = z.infer<typeof ActionBody>;

type ActionReaders = { readonly [Name in keyof ActionBody]: (action: ActionFields) => ActionBody[Name] };

const paramBody = (param: ActionFields['params'][number]): z.infer<typeof ParamBody> => ({
  name: param.name,
  type: fromEnumName<ParamType>(param.type),
  default: param.default,
  values: [...param.values],
});

/** The fields of an action in their order, each with the function that reads it. */
const READERS: ActionReaders = {
  id: action => action.id,
  description: action => action.description,
  category: action => action.category,
  kind: action => fromEnumName<ActionKind>(action.kind),
  status: action => fromEnumName<ActionStatus>(action.status),
  params: action => (action.params.length === 0 ? [] : action.params.map(paramBody)),
  role: action => action.role,
  name: action => action.name,
  value: action => action.value,
  checked: action => action.checked,
  disabled: action => action.disabled,
  expanded: action => action.expanded,
  in_viewport: action => action.inViewport,
  bounds: action => action.bounds,
  frame: action => action.frame,
  fingerprint: action => action.fingerprint,
};

/** Returns the function that converts an action to the wanted fields. */
function actionReader(wanted: WantedFields): (action: ActionFields) => ActionBody {
  const fields = Object.entries<(action: ActionFields) => unknown>(READERS).filter(
    ([name]) => wanted === ALL_FIELDS || wanted.has(name),
  );
  return action => {
    const body: Record<string, unknown> = {};
    for (const [name, read] of fields) body[name] = read(action);
    // With `fields` the body has fewer fields than its type; the caller asked for that.
    return body as ActionBody;
  };
}

/** The fields of an action that a lean response leaves out: the description or the id has them, or they are not for deciding. */
const NOT_LEAN: ReadonlySet<string> = new Set([
  'kind',
  'role',
  'name',
  'disabled',
  'in_viewport',
  'bounds',
  'fingerprint',
] satisfies (keyof ActionBody)[]);

/** The fields of an action that a lean response can contain. */
export const LEAN_ACTION_FIELDS: FieldTree = toFieldTree(
  Object.keys(ActionBody.shape)
    .filter(name => !NOT_LEAN.has(name))
    .map(name => [name]),
);

/** Returns the object without fields that are null, an empty text or an empty list, and without a `status` that is `valid`, as it nearly always is. */
function lean<Body extends object>(body: Body): Body {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    if (name !== 'status' || value !== 'valid') kept[name] = value;
  }
  return kept as Body;
}

const readWhole = actionReader(ALL_FIELDS);
const readLeanFields = actionReader(LEAN_ACTION_FIELDS);
const readLean = (action: ActionFields): ActionBody => {
  const body = readLeanFields(action);
  const { category: _category, ...others } = body;
  // The list that a special action is in says its category.
  const own = action.id.startsWith('S') ? others : body;
  return lean({ ...own, params: body.params.map(lean) }) as ActionBody;
};

/** Converts a list of actions. Fields of an action that the request names are returned as they are, even in a lean response. */
export const actionBodies =
  (actions: readonly ActionFields[], isLean: boolean) =>
  (wanted: WantedFields): ActionBody[] => {
    if (wanted !== ALL_FIELDS) return actions.map(actionReader(wanted));
    return actions.map(isLean ? readLean : readWhole);
  };
