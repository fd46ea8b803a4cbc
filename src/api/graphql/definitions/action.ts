/** The type Action, with its parameters and position. */
import type {
  Action,
  Rect as Box,
  ActionKind as Kind,
  ActionParam as Param,
  ActionStatus as Status,
  ParamType as Type,
} from '../../../domain/space/action.ts';
import { specialActionNames, specialActionRange } from '../../../domain/specialActions/specialActions.ts';
import { builder } from '../builder.ts';
import { PLAIN_DATA } from '../plainData.ts';
import { domainEnum } from './domainEnum.ts';

export const ActionKind = domainEnum<Kind>(
  'ActionKind',
  'The kind of an action. The first letter of its `id` shows it: L, B, I or S.',
  {
    link: 'L1, L2, …: a link.',
    button: 'B1, B2, …: any other element that is clicked.',
    input: 'I1, I2, …: an input that takes one value: a text, an option, true or false, a file.',
    special: `${specialActionRange('special')}: listed on every page.`,
    browser: `${specialActionRange('browser')}: actions of the browser itself that apply now (${specialActionNames('browser')}).`,
  },
);

export const ActionStatus = domainEnum<Status>(
  'ActionStatus',
  'The state of an action: can it be performed now?',
  {
    valid: 'Can be performed now. The step scrolls to the element if necessary.',
    excluded: 'The element is disabled.',
    covered: 'Another element, or an open dialog, covers this one.',
    clipped: 'A box that cannot be scrolled clips the element.',
  },
);

const ParamType = domainEnum<Type>('ParamType', 'The type of a parameter. Every value is passed as text.', {
  string: 'Any text.',
  number: 'A number.',
  boolean: '`true` or `false`.',
  date: 'An ISO date, month, week or date and time, depending on the input: `2026-03-09`.',
  time: 'An ISO time: `14:05`.',
  option: 'One of `values`.',
  options: 'Several of `values`, one per line.',
  file: 'The id of an uploaded file.',
  color: 'A color: `#rrggbb`.',
  range: 'A number in the range that `values` states.',
});

const ActionParam = builder.objectRef<Param>('ActionParam').implement({
  extensions: PLAIN_DATA,
  description: 'A parameter of an action.',
  fields: t => ({
    name: t.exposeString('name', { description: 'The name, as used in `StepInput.params`.' }),
    type: t.expose('type', { type: ParamType, description: 'The type of the value.' }),
    default: t.exposeString('default', {
      nullable: true,
      description: 'The value that is used if you pass none; null if there is none.',
    }),
    values: t.stringList({
      description:
        'The allowed values, or one hint in the form `min..max step n`; empty if any value is allowed.',
      resolve: ({ values }) => values ?? [],
    }),
  }),
});

const Rect = builder.objectRef<Box>('Rect').implement({
  extensions: PLAIN_DATA,
  description: 'A rectangle in CSS pixels, relative to the top left corner of the viewport.',
  fields: t => ({
    x: t.exposeFloat('x', { description: 'Left edge.' }),
    y: t.exposeFloat('y', { description: 'Top edge.' }),
    width: t.exposeFloat('width', { description: 'Width.' }),
    height: t.exposeFloat('height', { description: 'Height.' }),
  }),
});

export const ActionType = builder.objectRef<Action>('Action').implement({
  extensions: PLAIN_DATA,
  description: 'An action of a page. Pass its `id` to `step`.',
  fields: t => ({
    id: t.exposeID('id', {
      description:
        '`L1`, `B2`, `I3`, `S4`. Refers to the same element as long as the document exists, and never to another one.',
    }),
    kind: t.expose('kind', { type: ActionKind, description: 'The kind of action.' }),
    description: t.exposeString('description', {
      description:
        'Role, accessible name and state of the element. Without an accessible name: a title, placeholder, nearby label or similar text.',
    }),
    category: t.exposeString('category', {
      description:
        'The part of the page that contains the element, such as `Navigation "Shop"`; never empty.',
    }),
    status: t.expose('status', {
      type: ActionStatus,
      description: 'State of the action: can it be performed now?',
    }),
    params: t.expose('params', {
      type: [ActionParam],
      description: 'The parameters; empty for a plain click.',
    }),
    role: t.exposeString('role', {
      nullable: true,
      description: 'The ARIA role of the element; null if it has none.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The accessible name of the element; null if it has none.',
    }),
    value: t.exposeString('value', {
      nullable: true,
      description: 'The current value; null if the element has none. Passwords are never returned.',
    }),
    checked: t.exposeBoolean('checked', {
      nullable: true,
      description: 'True when the element is checked; null if it cannot be checked.',
    }),
    disabled: t.exposeBoolean('disabled', {
      description: 'True when the element is disabled. A step on it fails with ACTION_BLOCKED.',
    }),
    expanded: t.exposeBoolean('expanded', {
      nullable: true,
      description: 'True when the element is expanded; null if it cannot be expanded.',
    }),
    inViewport: t.exposeBoolean('inViewport', {
      description: 'True when a part of the element is visible without scrolling.',
    }),
    bounds: t.expose('bounds', {
      type: Rect,
      nullable: true,
      description: 'Position and size of the element; null if it has no box.',
    }),
    frame: t.exposeString('frame', {
      nullable: true,
      description: 'The URL of the frame that contains the element; null in the top page.',
    }),
    fingerprint: t.exposeString('fingerprint', {
      description:
        'Changes when the role, the name or the target of the element changes. Empty for S actions.',
    }),
  }),
});
