/** A space and its actions in REST responses (specification, 2.4). */
import { z } from 'zod';
import {
  ACTION_KINDS,
  ACTION_STATUSES,
  type ActionKind,
  type ActionStatus,
  PARAM_TYPES,
  type ParamType,
} from '../../../domain/action.ts';
import { SPACE_CATEGORIES, type SpaceCategory } from '../../../domain/space.ts';
import { specialActionRange } from '../../../domain/specialActions.ts';
import type { DiffFieldsFragment, SpaceFieldsFragment } from '../../graphql/generated/graphql.ts';
import { fromEnumName } from '../../http/enumName.ts';

const ParamBody = z
  .object({
    name: z.string(),
    type: z.enum(PARAM_TYPES),
    default: z.string().nullable(),
    values: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The allowed values, or one entry of the form `min..max step n`.' }),
  })
  .meta({ id: 'ActionParam', description: 'A parameter of an action. Its value is sent as text.' });

const ActionBody = z
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

const DiffBody = z
  .object({
    added: z.array(ActionBody).meta({ description: 'New actions.' }),
    removed: z.array(ActionBody).meta({ description: 'Actions that are gone, as they were.' }),
    changed: z.array(ActionBody).meta({ description: 'Changed actions, as they are now.' }),
    markdown: z.string().meta({ description: 'The difference as text, one line for each action.' }),
  })
  .meta({ id: 'SpaceDiff', description: 'The difference between two observations of a page.' });

export const SpaceBody = z
  .object({
    description: z.string().meta({ description: 'One or two sentences about the page and its content.' }),
    category: z.enum(SPACE_CATEGORIES).meta({ description: 'The kind of page.' }),
    markdown: z.string().meta({ description: 'The space as text, one line for each action.' }),
    actions: z
      .array(ActionBody)
      .meta({ description: 'The actions of the page, in document order, grouped by category.' }),
    special_actions: z
      .array(ActionBody)
      .meta({ description: `${specialActionRange('special')}: listed on every page.` }),
    browser_actions: z
      .array(ActionBody)
      .meta({ description: `${specialActionRange('browser')}: the browser actions that apply now.` }),
    total_actions: z.int().meta({ description: 'Number of actions on the page, listed or not.' }),
    truncated: z.boolean().meta({ description: 'True when a limit cut the list.' }),
    dialog: z
      .object({
        kind: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
        message: z.string(),
        default_value: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The open dialog of the page; null if there is none.' }),
    diff: DiffBody.optional().meta({
      description: 'The changes since diff_since. Present only if the request has diff_since.',
    }),
  })
  .meta({ id: 'Space', description: 'The actions on a page.' });
export type SpaceBody = z.infer<typeof SpaceBody>;

type ActionFields = SpaceFieldsFragment['actions'][number];

const actionBody = (action: ActionFields): z.infer<typeof ActionBody> => ({
  id: action.id,
  description: action.description,
  category: action.category,
  kind: fromEnumName<ActionKind>(action.kind),
  status: fromEnumName<ActionStatus>(action.status),
  params: action.params.map(param => ({
    name: param.name,
    type: fromEnumName<ParamType>(param.type),
    default: param.default,
    values: param.values,
  })),
  role: action.role,
  name: action.name,
  value: action.value,
  checked: action.checked,
  disabled: action.disabled,
  expanded: action.expanded,
  in_viewport: action.inViewport,
  bounds: action.bounds,
  frame: action.frame,
  fingerprint: action.fingerprint,
});

const diffBody = (diff: DiffFieldsFragment): z.infer<typeof DiffBody> => ({
  added: diff.added.map(actionBody),
  removed: diff.removed.map(actionBody),
  changed: diff.changed.map(actionBody),
  markdown: diff.markdown,
});

/** Converts a space and a difference to the REST body. The lists of actions are empty, and `markdown` is that of the difference. */
export const diffOnlySpaceBody = (space: SpaceFieldsFragment, diff: DiffFieldsFragment): SpaceBody => ({
  ...spaceBody({ ...space, actions: [], specialActions: [], browserActions: [] }, diff),
  markdown: diff.markdown,
});

export const spaceBody = (space: SpaceFieldsFragment, diff: DiffFieldsFragment | null = null): SpaceBody => ({
  description: space.description,
  category: space.category.toLowerCase().replaceAll('_', '-') as SpaceCategory,
  markdown: space.markdown,
  actions: space.actions.map(actionBody),
  special_actions: space.specialActions.map(actionBody),
  browser_actions: space.browserActions.map(actionBody),
  total_actions: space.totalActions,
  truncated: space.truncated,
  dialog: space.dialog && {
    kind: fromEnumName(space.dialog.kind),
    message: space.dialog.message,
    default_value: space.dialog.defaultValue,
  },
  ...(diff !== null && { diff: diffBody(diff) }),
});
