/** An action in REST responses (specification, 2.4). */
import { z } from 'zod';
import {
  ACTION_KINDS,
  ACTION_STATUSES,
  type ActionKind,
  type ActionStatus,
  PARAM_TYPES,
  type ParamType,
} from '../../../domain/action.ts';
import type { SpaceFieldsFragment } from '../../graphql/generated/graphql.ts';
import { fromEnumName } from '../../http/enumName.ts';
import { ALL_FIELDS, evaluateBody, type FieldTree, toFieldTree, type WantedFields } from './bodySelection.ts';

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

const paramBody = (param: ActionFields['params'][number], lean: boolean): z.infer<typeof ParamBody> => {
  const body = {
    name: param.name,
    type: fromEnumName<ParamType>(param.type),
    default: param.default,
    values: [...param.values],
  };
  return lean ? withoutEmpty(body) : body;
};

const actionBody = (action: ActionFields, wanted: WantedFields, lean: boolean): ActionBody => {
  const body = evaluateBody<ActionBody>(
    {
      id: () => action.id,
      description: () => action.description,
      category: () => action.category,
      kind: () => fromEnumName<ActionKind>(action.kind),
      status: () => fromEnumName<ActionStatus>(action.status),
      params: () => action.params.map(param => paramBody(param, lean)),
      role: () => action.role,
      name: () => action.name,
      value: () => action.value,
      checked: () => action.checked,
      disabled: () => action.disabled,
      expanded: () => action.expanded,
      in_viewport: () => action.inViewport,
      bounds: () => action.bounds,
      frame: () => action.frame,
      fingerprint: () => action.fingerprint,
    },
    wanted,
  );
  return lean ? withoutEmpty(withoutUsualStatus(body)) : body;
};

/** Returns the body without fields that are null or an empty list. */
const withoutEmpty = <Body extends object>(body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Body;

/** Returns the action without `status` if that is `valid`, as it is for nearly all actions. */
function withoutUsualStatus(action: ActionBody): ActionBody {
  const { status, ...others } = action;
  return status === 'valid' ? (others as ActionBody) : action;
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

/** Converts a list of actions. Fields of an action that the request names are returned as they are, even in a lean response. */
export const actionBodies =
  (actions: readonly ActionFields[], lean: boolean) =>
  (wanted: WantedFields): ActionBody[] =>
    wanted === ALL_FIELDS && lean
      ? actions.map(action => actionBody(action, LEAN_ACTION_FIELDS, true))
      : actions.map(action => actionBody(action, wanted, false));
