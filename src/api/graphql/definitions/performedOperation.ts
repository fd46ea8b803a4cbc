import {
  OPERATION_PARTS,
  type OperationPart,
  type OperationTiming,
  type PerformedInput,
  type PerformedOperation,
  type PerformedTarget,
} from '../../../domain/session/performedOperation.ts';
import { field, nullable } from '../../../operations/field.ts';
import { callerShape } from '../../../operations/results/session.ts';
import { type ResultType, shape } from '../../../operations/results/shape.ts';
import { resultType } from '../operationTypes.ts';

const PART_DESCRIPTIONS: Readonly<Record<OperationPart, string>> = {
  queue: 'The wait for earlier operations of the session.',
  navigation: 'Opening the address, until the document is there.',
  action: 'The action itself.',
  settling: 'The wait until the page has settled, and for the condition of the caller.',
  reading: 'Reading the page: the list, the content and the picture.',
};

const operationTimingShape = shape<OperationTiming>()({
  name: 'OperationTiming',
  description:
    'The parts of the duration of an operation, in milliseconds; null for a part that did not happen.',
  fields: Object.fromEntries(
    OPERATION_PARTS.map(part => [
      `${part}Ms`,
      {
        ...nullable('Int', PART_DESCRIPTIONS[part]),
        read: (timing: OperationTiming) => timing[part],
      },
    ]),
  ),
});

const targetFields = {
  actionId: nullable('ID', 'The id of the action; null for an operation that performs none.'),
  role: nullable('String', 'The role of the element, as it was listed; null for none.'),
  name: nullable('String', 'The accessible name of the element, as it was listed; null for none.'),
  frame: nullable('String', 'The URL of the frame that contains the element; null for the top page.'),
  fingerprint: nullable(
    'String',
    'The meaning of the element as one string, as in `Action.fingerprint`; null for none.',
  ),
  nth: {
    type: 'Int',
    description: 'Number of listed elements before this one with the same role, name and frame.',
    read: ({ nth }: PerformedTarget) => nth ?? 0,
  },
} as const;

const performedTarget = shape<PerformedTarget>()({
  name: 'PerformedTarget',
  description:
    'An element as it was listed. `role`, `name`, `frame` and `nth` find it again, also in other tools.',
  fields: targetFields,
});

const performedInput = shape<PerformedInput>()({
  name: 'PerformedInput',
  description:
    'The input of an operation. `role`, `name`, `frame` and `nth` find the element again, also in other tools.',
  fields: {
    url: nullable('URL', 'The address that the operation opened; null for none.'),
    gesture: nullable(
      'String',
      'The name of the special action, such as `hover` or `back`; null for a press and a value.',
    ),
    value: nullable('String', 'The value, with secrets masked; null for none.'),
    params: nullable('JSON', 'The parameters of a special action, with secrets masked; null for none.'),
    targets: {
      type: [performedTarget],
      description: 'The elements that the value or the parameters of a gesture name, in their order.',
      read: ({ targets }) => targets ?? [],
    },
    enter: {
      type: 'Boolean',
      description: 'True if Enter was pressed after the value.',
      read: ({ enter }) => enter ?? false,
    },
    ...targetFields,
  },
});

const eventMessage = shape<{ readonly kind: string; readonly text: string }>()({
  name: 'EventMessage',
  description: 'A message that the page or the service gave with an operation.',
  fields: {
    kind: field('String', '`note` for the service; otherwise the kind of a PageMessage, such as `alert`.'),
    text: field('String', 'The words on one line, at most 500 characters.'),
  },
});

/** A field of the outcome; null or an empty list if it has none. */
const ofOutcome = <const Type extends ResultType>(
  type: Type,
  name: keyof PerformedOperation['outcome'],
  description: string,
) => ({
  ...(typeof type === 'object' ? field(type, description) : nullable(type, description)),
  read: ({ outcome }: PerformedOperation) => outcome[name] ?? (typeof type === 'object' ? [] : null),
});

export const PerformedOperationType = resultType(
  shape<PerformedOperation & { readonly sessionId: string }>()({
    name: 'PerformedOperation',
    description: 'An operation that has ended: its caller, duration, input and outcome.',
    fields: {
      id: field('ID', 'UUID of the operation: the `reference` of its row in the ledger.'),
      caller: field(callerShape, 'The caller.'),
      timing: field(operationTimingShape, 'The parts of the duration.'),
      durationMs: field(
        'Int',
        'Time from the request to the end, in milliseconds, the wait for earlier operations included.',
      ),
      input: field(performedInput, 'The input.'),
      observationId: ofOutcome(
        'ID',
        'observationId',
        'The id of the observation that the operation made, or of the page after it failed: `session.observation(id)` has it. Null if the page was not, or could not be, read.',
      ),
      url: ofOutcome('URL', 'url', 'The address of the page after the operation; null for none.'),
      title: ofOutcome(
        'String',
        'title',
        'The title of the page after the operation, or as it was last read if the operation failed; null for none.',
      ),
      messages: ofOutcome(
        [eventMessage],
        'messages',
        'The new messages of the page and the notes of the service, at most 20.',
      ),
      downloads: ofOutcome(
        ['String'],
        'downloads',
        'File names of the downloads that the operation started.',
      ),
      console: ofOutcome('String', 'console', 'The errors in the console in one line; null for none.'),
    },
  }),
);
