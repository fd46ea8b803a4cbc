/** The browser actions that are gestures: what the pointer does on elements and points, and typing. */
import { param, required, type SpecialActionDefinition } from './specialActionDefinition.ts';

/** Describes where the pointer acts, for the values of gestures and for the failures of a wrong value. */
export const POINTER_TARGET_GRAMMAR =
  'the id of an element (`B1`), a point of it in pixels from its top left corner (`B1@5,5`), a point of the visible page (`@400,300`), or quoted words that the page shows (`"Report"`)';
/** Describes the keys that are held during a gesture. */
export const MODIFIER_GRAMMAR =
  'Keys that are held meanwhile (`Shift`, `Control`, `Alt`, `Meta`) stand before it: `Shift+B1`, `Control+Alt+B1@5,5`.';
/** The value of most gestures in a few words, for lists. The same words, so that lists name these gestures together. */
const POINTER_TARGET = 'id or @x,y';
/** The maximum of S20 (press and hold), in seconds. */
export const MAX_HOLD_SECONDS = 10;

/** The gestures by id, in the order of their ids. */
export const GESTURE_DEFINITIONS = {
  S16: {
    kind: 'browser',
    name: 'hover',
    description: 'Move the mouse over an element, or a point of it such as B3@10,20',
    params: [param('action_id')],
    value: { ...required(POINTER_TARGET, POINTER_TARGET_GRAMMAR), details: MODIFIER_GRAMMAR },
    listedWhen: 'no dialog is open',
  },
  S17: {
    kind: 'browser',
    name: 'drag',
    description:
      'Drag one element onto another, or a point such as B3@10,20; drop an upload onto it; or select quoted text of the page',
    params: [param('from'), param('to')],
    value: {
      ...required(
        'from->to',
        'two ids such as `B1,B2`, points such as `B1@5,5 -> B2@40,8` or `@10,10 -> @90,40`, uploads and a target such as `U1 -> B2` or `U1 -> "Drop here"`, or quoted text of the page or of a field',
      ),
      details:
        'With stops in between, `B1@0,0 -> B1@9,5 -> B1@0,9`, the pointer passes them in order. An item dropped onto another item of its list or grid takes that item\'s position. Keys that are held meanwhile stand before the first: `Alt+B1 -> B2`. `U1,U2 -> B2` drops these uploads as files. In GraphQL also as `params` `from` and `to`. Quoted text is selected (an editor\'s text first): `"from here"`, `"from here" -> "to there"`, or within one element `I1 "here"`.',
    },
    listedWhen: 'no dialog is open',
  },
  S18: {
    kind: 'browser',
    name: 'double click',
    shortName: 'dblclick',
    description: 'Double-click an element, or a point such as B3@10,20',
    params: [param('action_id')],
    value: required(POINTER_TARGET, 'as for S16'),
    listedWhen: 'no dialog is open',
  },
  S19: {
    kind: 'browser',
    name: 'right click',
    description: 'Click an element or a point with the right button, which opens its context menu',
    params: [param('action_id')],
    value: required(POINTER_TARGET, 'as for S16'),
    listedWhen: 'no dialog is open',
  },
  S20: {
    kind: 'browser',
    name: 'press and hold',
    shortName: 'hold',
    description: `Press the mouse button on an element or a point, and release it after some seconds (at most ${MAX_HOLD_SECONDS})`,
    params: [param('action_id'), param('seconds', 'number')],
    value: {
      ...required(POINTER_TARGET, 'as for S16; then the number of seconds'),
      details: '`B1 2` holds for two seconds. Without a number: one second.',
    },
    listedWhen: 'no dialog is open',
  },
  S21: {
    kind: 'browser',
    name: 'click',
    description: 'Click a point, or an element while keys such as Shift are held',
    params: [param('action_id')],
    value: required(POINTER_TARGET, 'as for S16'),
    listedWhen: 'no dialog is open',
  },
  S22: {
    kind: 'browser',
    name: 'wheel',
    description: 'Turn the mouse wheel over an element or a point, by pixels',
    params: [param('action_id'), param('pixels')],
    value: {
      ...required(POINTER_TARGET, 'as for S16; then the pixels down, or the pixels right and down'),
      details: '`B1 300` turns it down by 300 pixels, `B1 -300` up, `B1 100,0` to the right.',
    },
    listedWhen: 'no dialog is open',
  },
  S23: {
    kind: 'browser',
    name: 'type text',
    shortName: 'type',
    description: 'Type text into whatever has the focus; a line break presses Enter',
    params: [param('text')],
    value: {
      ...required('', 'the text to type'),
      details: 'It is added to what the focused element contains. With `enter`, Enter is pressed after it.',
    },
    listedWhen: 'no dialog is open',
  },
} as const satisfies Readonly<Record<`S${number}`, SpecialActionDefinition>>;
