import { z } from 'zod';
import type {
  InputAnswer,
  InputEvent,
  InputType,
  OpenOption,
  OpenPicker,
  PickerType,
} from '../domain/session/takeOver.ts';
import { enumTable, field, type Group, nullable, type RequestOf, requestFields, required } from './field.ts';
import { operation, parseSessionId } from './operation.ts';
import { sessionField } from './page.ts';
import { shape } from './results/shape.ts';

const MAX_INSTRUCTIONS = 2_000;
/** Default and maximum wait for a person, in seconds. */
const DEFAULT_TIMEOUT_SECONDS = 300;
const MAX_TIMEOUT_SECONDS = 3_600;
/** Maximum number of events in one message: a second of a fast mouse. */
const MAX_EVENTS = 1_000;
/** Maximum length of a text that is typed or pasted at once, in characters. */
const MAX_TEXT = 200_000;
const MAX_POINTS = 10;
/** Maximum distance of a point from the corner of the viewport, and of one turn of the wheel, in CSS pixels. */
const MAX_PIXELS = 100_000;

const holdField = {
  type: 'ID',
  description: 'The take-over, as `takeOver` returned it.',
  check: z.uuid('must be the holdId of takeOver'),
} as const;

export const requestTakeOver = operation({
  name: 'requestTakeOver',
  title: 'Ask for a person',
  description:
    'Asks for a person who takes the session over, for what an agent cannot or must not do, such as a login. The session waits: other operations fail with TAKEN_OVER, or wait with `waitForHandBack`, until a person has come and handed the session back, the request ends, or `handBack` withdraws it. The next answer of the agent then has the difference since its last observation.',
  scope: 'operate',
  request: { name: 'RequestTakeOverInput', description: 'The session, and what the person is asked to do.' },
  fields: requestFields({
    sessionId: sessionField,
    instructions: required(
      'String',
      `What the person is asked to do, up to ${MAX_INSTRUCTIONS.toLocaleString('en')} characters.`,
      {
        check: z
          .string()
          .trim()
          .min(1, 'must not be empty')
          .max(MAX_INSTRUCTIONS, `must be at most ${MAX_INSTRUCTIONS} characters`),
        examples: ['Please sign in with your account, then hand the session back.'],
      },
    ),
    timeoutSeconds: field(
      'Int',
      'The request ends after this time if no person has taken the session over.',
      {
        check: z.int('must be a whole number of seconds').min(1).max(MAX_TIMEOUT_SECONDS),
        default: DEFAULT_TIMEOUT_SECONDS,
      },
    ),
  }),
  run: async ({ sessionId, instructions, timeoutSeconds }, { service, viewer }) =>
    service.requestTakeOver(viewer, {
      sessionId: parseSessionId(sessionId),
      instructions,
      timeoutSeconds: timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    }),
});

export const takeOver = operation({
  name: 'takeOver',
  title: 'Take a session over',
  description:
    'Gives a session to a person: the operations of all others fail with TAKEN_OVER until it is handed back. A person keeps the session while `holdSession` is subscribed or input arrives, and for 30 seconds after that.',
  scope: 'operate',
  request: { name: 'TakeOverInput', description: 'The session, and the person.' },
  fields: requestFields({
    sessionId: sessionField,
    name: required('String', 'The name of the person, for the others and for the events.', {
      check: z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(60, 'must be at most 60 characters')
        .regex(/^\P{Cc}*$/u, 'must hold no control characters'),
      examples: ['Ana'],
    }),
    holdId: { ...holdField, description: 'A take-over that this person has, to go on with it.' },
  }),
  run: async ({ sessionId, name, holdId }, { service, viewer }) =>
    service.takeOver(viewer, { sessionId: parseSessionId(sessionId), name, holdId: holdId ?? null }),
});

export const handBack = operation({
  name: 'handBack',
  title: 'Hand a session back',
  description:
    'Ends the take-over of a session, or withdraws the request for a person. A session without either is returned as it is.',
  scope: 'operate',
  request: { name: 'HandBackInput', description: 'The session, and the take-over.' },
  fields: requestFields({
    sessionId: sessionField,
    holdId: { ...holdField, description: 'The take-over. Default: withdraw the request for a person.' },
  }),
  run: async ({ sessionId, holdId }, { service, viewer }) =>
    service.handBack(viewer, { sessionId: parseSessionId(sessionId), holdId: holdId ?? null }),
});

const inputType = enumTable<InputType>('InputType', 'The type of an input event.', {
  mouse_move: 'The mouse moves to `x`, `y`.',
  mouse_down: 'A `button` of the mouse is pressed at `x`, `y`.',
  mouse_up: 'A `button` of the mouse is released at `x`, `y`.',
  wheel: 'The wheel turns by `deltaX`, `deltaY` at `x`, `y`.',
  key_down: 'A key is pressed: `key`, `code`, `keyCode`, `modifiers`, `repeat`.',
  key_up: 'A key is released.',
  text: 'A `text` is entered that no key names, or that an input method has committed.',
  compose: 'An input method shows `text` in place of the one before; an empty text cancels it.',
  paste: 'A `text` is pasted.',
  touch: 'The fingers are at `points`; all have left the screen if there are none.',
  accept_dialog: 'The open dialog is accepted, a prompt with `text`, or its default without one.',
  dismiss_dialog: 'The open dialog is dismissed.',
  choose: 'The open picker takes its `option`, or `text` as its value; with neither it is closed.',
  release: 'All keys, buttons and fingers are released.',
});

const button = enumTable<'left' | 'right'>('MouseButton', 'A button of the mouse.', {
  left: 'The left one.',
  right: 'The right one.',
});

const pixels = z.number().min(-MAX_PIXELS).max(MAX_PIXELS);
const x = { type: 'Float', description: 'CSS pixels from the left of the viewport.', check: pixels } as const;
const y = { type: 'Float', description: 'CSS pixels from its top.', check: pixels } as const;

const pointFields = requestFields({ x: { ...x, required: true }, y: { ...y, required: true } });
const point: Group<typeof pointFields> = {
  kind: 'group',
  name: 'PointInput',
  description: 'A point of the viewport.',
  fields: pointFields,
};

const eventFields = requestFields({
  type: required(inputType, 'The type of the event.'),
  x,
  y,
  deltaX: field('Float', 'CSS pixels to the right.', { check: pixels }),
  deltaY: field('Float', 'CSS pixels down.', { check: pixels }),
  button: field(button, 'The button of the mouse. Default: the left one.'),
  clicks: field('Int', 'Number of clicks in a row.', { check: z.int().min(1).max(3), default: 1 }),
  key: field('String', '`KeyboardEvent.key`.', { check: z.string().min(1).max(40) }),
  code: field('String', '`KeyboardEvent.code`.', { check: z.string().max(40) }),
  keyCode: field('Int', '`KeyboardEvent.keyCode`; 229 for a key that an input method takes.', {
    check: z.int().min(0).max(255),
  }),
  modifiers: field('Int', 'The modifier keys that are held, as a sum: Alt 1, Control 2, Meta 4, Shift 8.', {
    check: z.int().min(0).max(15),
  }),
  repeat: field('Boolean', 'The key repeats because it is held.', { default: false }),
  text: field('String', 'A text. It is stored nowhere.', {
    check: z.string().max(MAX_TEXT, `must be at most ${MAX_TEXT} characters`),
  }),
  option: field('Int', 'The number of the option in `picker.options` of the answer, from 0.', {
    check: z.int().min(0),
  }),
  points: field([point], `The fingers, at most ${MAX_POINTS}.`, {
    check: z.array(z.unknown()).max(MAX_POINTS),
  }),
});

const event: Group<typeof eventFields> = {
  kind: 'group',
  name: 'InputEventInput',
  description: 'One event of input, with the fields of its type.',
  fields: eventFields,
};

export const sendInput = operation({
  name: 'sendInput',
  title: 'Send input',
  description:
    'Hands events of mouse, keyboard, input method and fingers to the active tab, in their order, after the operation that runs. A move of the mouse that another one follows at once is left out. Send the next message when this one is answered, and at most 60 a second; an open dialog takes nothing but its answer. A message without events reads the open picker.',
  scope: 'operate',
  request: { name: 'SendInputInput', description: 'The take-over, and the events.' },
  fields: requestFields({
    sessionId: sessionField,
    holdId: { ...holdField, required: true },
    events: required([event], `The events in their order, at most ${MAX_EVENTS.toLocaleString('en')}.`, {
      check: z.array(z.unknown()).max(MAX_EVENTS, `must be at most ${MAX_EVENTS} events`),
    }),
  }),
  run: async ({ sessionId, holdId, events }, { service, viewer }) =>
    service.sendInput(viewer, {
      sessionId: parseSessionId(sessionId),
      holdId,
      events: events.map(toInputEvent),
    }),
});

const openOptionShape = shape<OpenOption>()({
  name: 'OpenOption',
  description: 'An option of an open picker.',
  fields: {
    label: field('String', 'The text of the option.'),
    selected: field('Boolean', 'True for the option that is selected now.'),
    disabled: field('Boolean', 'True for an option that cannot be chosen.'),
  },
});

const pickerType = enumTable<PickerType>('PickerType', 'The kind of an open picker.', {
  select: 'A drop-down list.',
  suggestions: 'A text field with suggestions.',
  color: 'A colour: `#ff8800`.',
  date: 'A date: `2026-03-09`.',
  datetime_local: 'A date with a time: `2026-03-09T14:05`.',
  month: 'A month: `2026-03`.',
  time: 'A time: `14:05`.',
  week: 'A week: `2026-W11`.',
});

const bound = (which: string) =>
  ({ type: 'String', description: `The ${which}; empty for the default.` }) as const;

const openPickerShape = shape<OpenPicker>()({
  name: 'OpenPicker',
  description: 'The picker that the page has open. The browser draws it on no picture.',
  fields: {
    type: field(pickerType, 'Its kind, which names the format of its value.'),
    value: field('String', 'The present value; empty for none.'),
    min: bound('least value'),
    max: bound('greatest value'),
    step: bound('step between values'),
    options: field([openOptionShape], 'The options of a list, and the suggestions.'),
  },
});

export const inputAnswerShape = shape<InputAnswer>()({
  name: 'InputResult',
  description: 'The effects of the input of a person that no picture shows.',
  fields: {
    copied: nullable('String', 'The text that the page has copied meanwhile; null for none.'),
    picker: nullable(
      openPickerShape,
      'The picker that is open after input that may open one, and after a message without events; null for none.',
    ),
  },
});

/** Converts an event. A field that its type needs and that is absent is 0 or empty. */
function toInputEvent(event: RequestOf<typeof eventFields>): InputEvent {
  const { type } = event;
  const at = { x: event.x ?? 0, y: event.y ?? 0 };
  switch (type) {
    case 'mouse_move':
      return { type, ...at };
    case 'mouse_down':
    case 'mouse_up':
      return { type, ...at, button: event.button ?? 'left', clicks: event.clicks ?? 1 };
    case 'wheel':
      return { type, ...at, deltaX: event.deltaX ?? 0, deltaY: event.deltaY ?? 0 };
    case 'key_down':
    case 'key_up':
      return {
        type,
        key: event.key ?? 'Unidentified',
        code: event.code ?? '',
        keyCode: event.keyCode ?? 0,
        modifiers: event.modifiers ?? 0,
        repeat: event.repeat ?? false,
      };
    case 'text':
    case 'compose':
    case 'paste':
      return { type, text: event.text ?? '' };
    case 'accept_dialog':
      return { type, text: event.text ?? null };
    case 'choose':
      return { type, option: event.option ?? null, text: event.text ?? null };
    case 'touch':
      return { type, points: event.points ?? [] };
    case 'dismiss_dialog':
    case 'release':
      return { type };
  }
}
