/** One thing that can be done on a page. */
import type {
  Action,
  Rect as Box,
  ActionKind as Kind,
  ActionParam as Param,
  ActionStatus as Status,
  ParamType as Type,
} from '../../../domain/action.ts';
import { specialActionNames, specialActionRange } from '../../../domain/specialActions.ts';
import { builder } from '../builder.ts';
import { domainEnum } from './domainEnum.ts';

export const ActionKind = domainEnum<Kind>(
  'ActionKind',
  'What sort of action it is; the first letter of its id says it too.',
  {
    link: 'L: a link.',
    button: 'B: anything else that is clicked.',
    input: 'I: takes exactly one value (a text, a choice, a tick, a file).',
    special: `${specialActionRange('special')}: listed on every page.`,
    browser: `${specialActionRange('browser')}: actions of the browser itself that apply now (${specialActionNames('browser')}).`,
  },
);

const ActionStatus = domainEnum<Status>('ActionStatus', 'Whether an action can be done now.', {
  valid: 'Can be done now; the step scrolls to it by itself.',
  excluded: 'The element is disabled.',
  covered: 'Something else lies on top of the element.',
  clipped: 'The element is cut off by a box that cannot be scrolled.',
});

const ParamType = domainEnum<Type>('ParamType', 'What values a parameter takes. All are sent as text.', {
  string: 'Any text.',
  number: 'A number.',
  boolean: '`true` or `false`.',
  date: 'An ISO date, month, week or moment, as the field wants: `2026-03-09`.',
  time: 'An ISO time: `14:05`.',
  option: 'One of `values`.',
  options: 'Some of `values`, one a line.',
  file: 'The id of an uploaded file.',
  color: 'A colour: `#rrggbb`.',
  range: 'A number within the bounds that `values` says.',
});

const ActionParam = builder.objectRef<Param>('ActionParam').implement({
  description: 'A value that an action takes.',
  fields: t => ({
    name: t.exposeString('name', { description: 'Its name, as the `params` of a step use it.' }),
    type: t.expose('type', { type: ParamType, description: 'What values it takes.' }),
    default: t.exposeString('default', {
      nullable: true,
      description: 'The value that stands if none is given; null if there is none.',
    }),
    values: t.exposeStringList('values', {
      nullable: true,
      description: 'The allowed values, or one hint of the form `min..max step n`; null if free.',
    }),
  }),
});

const Rect = builder.objectRef<Box>('Rect').implement({
  description: 'A box in CSS pixels, relative to the viewport.',
  fields: t => ({
    x: t.exposeFloat('x', { description: 'Distance of its left edge from the left of the viewport.' }),
    y: t.exposeFloat('y', { description: 'Distance of its top edge from the top of the viewport.' }),
    width: t.exposeFloat('width', { description: 'Its width.' }),
    height: t.exposeFloat('height', { description: 'Its height.' }),
  }),
});

export const ActionType = builder.objectRef<Action>('Action').implement({
  description: 'One thing that can be done on a page. Pass its `id` to `step`.',
  fields: t => ({
    id: t.exposeID('id', {
      description:
        '`L1`, `B2`, `I3`, `S4`: belongs to one element of one document for as long as that document lives.',
    }),
    kind: t.expose('kind', { type: ActionKind, description: 'What sort of action it is.' }),
    description: t.exposeString('description', {
      description: 'What it is, with the accessible name verbatim; without a name the best hint there is.',
    }),
    category: t.exposeString('category', {
      description: 'The part of the page it belongs to, in words; never empty.',
    }),
    status: t.expose('status', { type: ActionStatus, description: 'Whether it can be done now.' }),
    params: t.expose('params', {
      type: [ActionParam],
      description: 'The values it takes; empty for a plain click.',
    }),
    role: t.exposeString('role', {
      nullable: true,
      description: "The element's ARIA role; null where it has none.",
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: "The element's accessible name; null where it has none.",
    }),
    value: t.exposeString('value', {
      nullable: true,
      description: 'The value it has now; null where it has none. Passwords are never told.',
    }),
    checked: t.exposeBoolean('checked', {
      nullable: true,
      description: 'Whether it is ticked; null where it cannot be.',
    }),
    disabled: t.exposeBoolean('disabled', {
      description: 'Whether it is disabled: a step on it is refused.',
    }),
    expanded: t.exposeBoolean('expanded', {
      nullable: true,
      description: 'Whether what it opens is open; null where it opens nothing.',
    }),
    inViewport: t.exposeBoolean('inViewport', { description: 'Whether any of it shows without scrolling.' }),
    bounds: t.expose('bounds', {
      type: Rect,
      nullable: true,
      description: 'Where it is; null where it has no box.',
    }),
    frame: t.exposeString('frame', {
      nullable: true,
      description: 'The address of the frame it is in; null in the top page.',
    }),
    fingerprint: t.exposeString('fingerprint', {
      description: 'Changes when what the element means (role, name, target) does. Empty for S actions.',
    }),
  }),
});
