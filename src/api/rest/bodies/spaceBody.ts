/** A space and its actions in REST's words (specification, 2.4). */
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
import type { DiffFactsFragment, SpaceFactsFragment } from '../../graphql/generated/graphql.ts';
import { fromEnumName } from './sessionBody.ts';

const ParamBody = z
  .object({
    name: z.string(),
    type: z.enum(PARAM_TYPES),
    default: z.string().nullable(),
    values: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The allowed values, or one hint of the form `min..max step n`.' }),
  })
  .meta({ id: 'ActionParam', description: 'A value that an action takes. All are sent as text.' });

const ActionBody = z
  .object({
    id: z.string().meta({
      description: '`L1`, `B2`, `I3`, `S4`: one element of one document for as long as that lives.',
    }),
    description: z.string(),
    category: z.string().meta({ description: 'The part of the page it belongs to.' }),
    kind: z.enum(ACTION_KINDS),
    status: z.enum(ACTION_STATUSES),
    params: z.array(ParamBody),
    role: z.string().nullable(),
    name: z.string().nullable().meta({ description: 'The accessible name.' }),
    value: z.string().nullable(),
    checked: z.boolean().nullable(),
    disabled: z.boolean(),
    expanded: z.boolean().nullable(),
    in_viewport: z.boolean(),
    bounds: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).nullable(),
    frame: z
      .string()
      .nullable()
      .meta({ description: 'The address of the frame it is in; null in the top page.' }),
    fingerprint: z.string().meta({ description: 'Changes when what the element means does.' }),
  })
  .meta({ id: 'Action', description: 'One thing that can be done on a page. Pass its id to step.' });

const DiffBody = z
  .object({
    added: z.array(ActionBody).meta({ description: 'As they are now.' }),
    removed: z.array(ActionBody).meta({ description: 'As they were.' }),
    changed: z.array(ActionBody).meta({ description: 'As they are now.' }),
    markdown: z.string().meta({ description: 'The same as text, one short line an action.' }),
  })
  .meta({ id: 'SpaceDiff', description: 'What has changed on a page between two observations of it.' });

/** The action space. */
export const SpaceBody = z
  .object({
    description: z.string(),
    category: z.enum(SPACE_CATEGORIES),
    markdown: z.string().meta({ description: 'The whole space as text, one short line an action.' }),
    actions: z.array(ActionBody),
    special_actions: z
      .array(ActionBody)
      .meta({ description: `${specialActionRange('special')}: listed on every page.` }),
    browser_actions: z
      .array(ActionBody)
      .meta({ description: `${specialActionRange('browser')}: the browser actions that apply now.` }),
    total_actions: z.int().meta({ description: 'How many actions the page has, listed or not.' }),
    truncated: z.boolean().meta({ description: 'Whether the list was cut at its limits.' }),
    dialog: z
      .object({
        kind: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
        message: z.string(),
        default_value: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The dialog that the page has open.' }),
    diff: DiffBody.optional().meta({
      description: 'What has changed since diff_since. Only there when that was given.',
    }),
  })
  .meta({ id: 'Space', description: 'What can be done on a page.' });
export type SpaceBody = z.infer<typeof SpaceBody>;

type ActionFields = SpaceFactsFragment['actions'][number];

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

const diffBody = (facts: DiffFactsFragment): z.infer<typeof DiffBody> => ({
  added: facts.added.map(actionBody),
  removed: facts.removed.map(actionBody),
  changed: facts.changed.map(actionBody),
  markdown: facts.markdown,
});

/** A space of which nothing but a difference was asked for. */
export const diffOnlySpaceBody = (facts: SpaceFactsFragment, diff: DiffFactsFragment): SpaceBody => ({
  ...spaceBody({ ...facts, actions: [], specialActions: [], browserActions: [] }, diff),
  markdown: diff.markdown,
});

/** @param facts as the fragment SpaceFacts answers them */
export const spaceBody = (facts: SpaceFactsFragment, diff: DiffFactsFragment | null = null): SpaceBody => ({
  description: facts.description,
  category: facts.category.toLowerCase().replaceAll('_', '-') as SpaceCategory,
  markdown: facts.markdown,
  actions: facts.actions.map(actionBody),
  special_actions: facts.specialActions.map(actionBody),
  browser_actions: facts.browserActions.map(actionBody),
  total_actions: facts.totalActions,
  truncated: facts.truncated,
  dialog: facts.dialog && {
    kind: fromEnumName(facts.dialog.kind),
    message: facts.dialog.message,
    default_value: facts.dialog.defaultValue,
  },
  ...(diff !== null && { diff: diffBody(diff) }),
});
