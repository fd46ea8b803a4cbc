/**
 * The special and browser actions, whose ids begin with S. They belong to the browser, not to an element of the page. Each
 * is one entry of `SPECIAL_ACTION_DEFINITIONS`. The lists, schema texts and documents are made from these entries. The code that
 * performs them is in `src/browser/act/special/`; an entry without such code does not compile.
 */

import { MAX_WAIT_SECONDS } from '../json.ts';
import { GESTURE_DEFINITIONS } from './gestureDefinitions.ts';
import { optional, param, required, type SpecialActionDefinition } from './specialActionDefinition.ts';
import { DEFAULT_WAIT_FOR_MS, WAIT_FOR_GRAMMAR } from './waitCondition.ts';

/** The special and browser actions by id, in the order of their ids. */
export const SPECIAL_ACTION_DEFINITIONS = {
  S1: {
    kind: 'special',
    name: 'goto',
    description: 'Go to a web address',
    params: [param('url')],
    value: required('url', 'a web address'),
    settles: false,
    leavesPage: true,
    actsOnPage: false,
  },
  S2: {
    kind: 'special',
    name: 'scrape',
    description: "Scrape the current page's content",
    settles: false,
    requests: 'scrape',
    actsOnPage: false,
  },
  S3: {
    kind: 'special',
    name: 'screenshot',
    description: 'Take a screenshot of the current page',
    settles: false,
    requests: 'screenshot',
    actsOnPage: false,
  },
  S4: {
    kind: 'special',
    name: 'back',
    description: 'Go back one page in the history',
  },
  S5: {
    kind: 'special',
    name: 'forward',
    description: 'Go forward one page in the history',
  },
  S6: {
    kind: 'special',
    name: 'refresh',
    description: 'Reload the current page',
  },
  S7: {
    kind: 'special',
    name: 'wait',
    description: `Wait for a number of seconds (at most ${MAX_WAIT_SECONDS})`,
    params: [param('seconds', 'number')],
    value: required('s', 'a number of seconds'),
    settles: false,
    actsOnPage: false,
  },
  S8: {
    kind: 'special',
    name: 'terminate',
    shortName: 'end',
    description: 'End the session',
    settles: false,
    leavesPage: true,
    requests: 'terminate',
    actsOnPage: false,
  },
  S9: {
    kind: 'browser',
    name: 'scroll down',
    description: 'Scroll down by a page, by pixels, or in the region with the given id',
    params: [param('pixels')],
    value: {
      ...optional(
        'pixels or id',
        'pixels, or the id of a scrollable region, with pixels (`B4 300`) or without',
      ),
      details: 'Without a value: one page. A region that only scrolls sideways scrolls sideways.',
    },
    listedWhen: 'the page or a region can be scrolled down',
    appliesTo: state => state.scrollableDown > 0,
  },
  S10: {
    kind: 'browser',
    name: 'scroll up',
    description: 'Scroll up by a page, by pixels, or in the region with the given id',
    params: [param('pixels')],
    value: optional('pixels or id', 'as for S9'),
    listedWhen: 'the page or a region can be scrolled up',
    appliesTo: state => state.scrollableUp > 0,
  },
  S11: {
    kind: 'browser',
    name: 'press key',
    shortName: 'key',
    description: 'Press a key or chord, such as Enter or Control+A',
    params: [param('key')],
    value: required('', 'a key such as Enter or Control+A'),
    listedWhen: 'no dialog is open',
  },
  S12: {
    kind: 'browser',
    name: 'switch tab',
    description: 'Make another tab the active one',
    params: [param('tab', 'option')],
    value: required('tab id', 'the id of a tab'),
    listedWhen: 'the session has more than one tab',
    appliesTo: state => state.tabs.length > 1,
    fieldsFor: state => ({
      params: [
        param(
          'tab',
          'option',
          state.tabs.map(tab => tab.id),
        ),
      ],
    }),
  },
  S13: {
    kind: 'browser',
    name: 'close tab',
    description: 'Close the active tab',
    listedWhen: 'the session has more than one tab',
    appliesTo: state => state.tabs.length > 1,
    leavesPage: true,
  },
  S14: {
    kind: 'browser',
    name: 'accept dialog',
    description: 'Accept the open dialog',
    value: optional('text', 'the answer to a prompt; without a value: the answer that the prompt proposes'),
    listedWhen: 'a dialog is open',
    fieldsFor: ({ dialog }) => ({
      description: `Accept the open ${dialog} dialog${dialog === 'beforeunload' ? ': leave the page' : ''}`,
      params: dialog === 'prompt' ? [param('text')] : [],
    }),
    answersDialog: true,
  },
  S15: {
    kind: 'browser',
    name: 'dismiss dialog',
    description: 'Dismiss the open dialog',
    listedWhen: 'a dialog is open',
    fieldsFor: ({ dialog }) => ({
      description: `Dismiss the open ${dialog} dialog${dialog === 'beforeunload' ? ': stay on the page' : ''}`,
    }),
    answersDialog: true,
  },
  ...GESTURE_DEFINITIONS,
  S24: {
    kind: 'browser',
    name: 'wait for',
    description: 'Wait until a text or an action appears or disappears, or the network is quiet',
    params: [param('condition')],
    value: {
      ...required('', `the condition: ${WAIT_FOR_GRAMMAR}`),
      details: `It is met at the latest after \`wait_ms\` (default ${DEFAULT_WAIT_FOR_MS} ms), else WAIT_TIMEOUT.`,
    },
    listedWhen: 'no dialog is open',
    settles: false,
  },
  S25: {
    kind: 'browser',
    name: 'choose files',
    description: 'Choose uploaded files in the file chooser that the page has opened',
    params: [param('files', 'file')],
    value: {
      ...required('upload ids', 'the ids of uploads, such as `U1` or `U1,U2`'),
      details: 'A file input that is listed takes the ids itself.',
    },
    listedWhen: 'the page has opened a file chooser',
    appliesTo: state => state.fileChooser !== null,
    fieldsFor: ({ fileChooser }) => ({
      description: `Choose ${fileChooser === 'several' ? 'uploaded files' : 'an uploaded file'} in the file chooser that the page has opened`,
    }),
  },
} as const satisfies Readonly<Record<`S${number}`, SpecialActionDefinition>>;

export type SpecialActionId = keyof typeof SPECIAL_ACTION_DEFINITIONS;
