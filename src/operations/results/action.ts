/** An action of a page (specification, 2.4). */
import type {
  Action,
  ActionKind,
  ActionParam,
  ActionStatus,
  ParamType,
  Rect,
} from '../../domain/space/action.ts';
import { specialActionNames, specialActionRange } from '../../domain/specialActions/specialActions.ts';
import { enumTable } from '../field.ts';
import { shape } from './shape.ts';

export const actionKind = enumTable<ActionKind>(
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

export const actionStatus = enumTable<ActionStatus>(
  'ActionStatus',
  'The state of an action: can it be performed now?',
  {
    valid: 'Can be performed now. The step scrolls to the element if necessary.',
    excluded: 'The element is disabled.',
    covered: 'Another element, or an open dialog, covers this one.',
    clipped: 'A box that cannot be scrolled clips the element.',
  },
);

const paramType = enumTable<ParamType>(
  'ParamType',
  'The type of a parameter. Every value is passed as text.',
  {
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
  },
);

const actionParam = shape<ActionParam>()({
  name: 'ActionParam',
  description: 'A parameter of an action. Its value is passed as text.',
  fields: {
    name: { type: 'String', description: 'The name. GraphQL takes values by name in `StepInput.params`.' },
    type: { type: paramType, description: 'The type of the value.' },
    default: {
      type: 'String',
      nullable: true,
      description: 'The value that is used if you pass none; null if there is none.',
    },
    values: {
      type: ['String'],
      description:
        'The allowed values, or one hint in the form `min..max step n`; empty if any value is allowed.',
      read: ({ values }) => values ?? [],
    },
  },
});

const rect = shape<Rect>()({
  name: 'Rect',
  description: 'A rectangle in CSS pixels, relative to the top left corner of the viewport.',
  fields: {
    x: { type: 'Float', description: 'Left edge.' },
    y: { type: 'Float', description: 'Top edge.' },
    width: { type: 'Float', description: 'Width.' },
    height: { type: 'Float', description: 'Height.' },
  },
});

export const actionShape = shape<Action>()({
  name: 'Action',
  description: 'An action of a page. Pass its `id` to step.',
  isSelectable: true,
  fields: {
    id: {
      type: 'ID',
      description:
        '`L1`, `B2`, `I3`, `S4`. Refers to the same element as long as the document exists, and never to another one.',
    },
    description: {
      type: 'String',
      description:
        'Role, accessible name and state of the element. Without an accessible name: a title, placeholder, nearby label or similar text.',
    },
    category: {
      type: 'String',
      description:
        'The part of the page that contains the element, such as `Navigation "Shop"`; never empty.',
    },
    kind: { type: actionKind, description: 'The kind of action.' },
    status: { type: actionStatus, description: 'State of the action: can it be performed now?' },
    params: { type: [actionParam], description: 'The parameters; empty for a plain click.' },
    role: {
      type: 'String',
      nullable: true,
      description: 'The ARIA role of the element; null if it has none.',
    },
    name: {
      type: 'String',
      nullable: true,
      description: 'The accessible name of the element; null if it has none.',
    },
    value: {
      type: 'String',
      nullable: true,
      description: 'The current value; null if the element has none. Passwords are never returned.',
    },
    checked: {
      type: 'Boolean',
      nullable: true,
      description: 'True when the element is checked; null if it cannot be checked.',
    },
    disabled: {
      type: 'Boolean',
      description: 'True when the element is disabled. A step on it fails with ACTION_BLOCKED.',
    },
    expanded: {
      type: 'Boolean',
      nullable: true,
      description: 'True when the element is expanded; null if it cannot be expanded.',
    },
    inViewport: {
      type: 'Boolean',
      description: 'True when a part of the element is visible without scrolling.',
    },
    bounds: {
      type: rect,
      nullable: true,
      description: 'Position and size of the element; null if it has no box.',
    },
    frame: {
      type: 'String',
      nullable: true,
      description: 'The URL of the frame that contains the element; null in the top page.',
    },
    fingerprint: {
      type: 'String',
      description:
        'Changes when the role, the name or the target of the element changes. Empty for S actions.',
    },
  },
});
