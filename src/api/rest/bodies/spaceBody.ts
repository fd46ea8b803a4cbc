/** A space and its actions in REST responses (specification, 2.4). */
import { z } from 'zod';
import { MESSAGE_KINDS, type MessageKind } from '../../../domain/space/pageMessage.ts';
import { TEXT_BLOCK_KINDS, type TextBlockKind } from '../../../domain/space/pageTextBlock.ts';
import { copyOfPending } from '../../../domain/space/pending.ts';
import { SPACE_CATEGORIES, type SpaceCategory } from '../../../domain/space/space.ts';
import { DOWNLOAD_STATES, type DownloadState } from '../../../domain/space/startedDownload.ts';
import { specialActionRange } from '../../../domain/specialActions/specialActions.ts';
import type { DiffFieldsFragment, SpaceFieldsFragment } from '../../graphql/generated/graphql.ts';
import { fromEnumName } from '../../http/enumName.ts';
import { ActionBody, actionBodies } from './actionBody.ts';
import { type BodySelection, evaluateBody, type WantedFields, WHOLE_BODY } from './bodySelection.ts';

const MessageBody = z
  .object({
    kind: z.enum(MESSAGE_KINDS).meta({
      description:
        'note: what the service noticed about the step, such as a drag after which nothing moved. alert: an error or a warning. status: a status, notice or toast. validation: why a field is invalid. appeared, disappeared: other text that is new or gone since the observation before.',
    }),
    text: z.string().meta({ description: 'The words of the page on one line, up to 300 characters.' }),
    action: z.string().optional().meta({
      description: 'The id of the action that the message belongs to; absent if it belongs to none.',
    }),
    page: z.string().optional().meta({
      description:
        'The URL of the page that said it just before the operation left it; absent for the present page.',
    }),
    is_new: z.boolean().meta({ description: 'True when the observation before did not have this message.' }),
  })
  .meta({
    id: 'PageMessage',
    description: 'Something that the page says, in its own words; or a note of the service.',
  });

export const DiffBody = z
  .object({
    added: z.array(ActionBody).meta({ description: 'New actions.' }),
    removed: z.array(ActionBody).meta({ description: 'Actions that are gone, as they were.' }),
    changed: z.array(ActionBody).meta({ description: 'Changed actions, as they are now.' }),
    covered: z.int().meta({
      description: 'Number of actions that a dialog or a veil covers now; they are not in `changed`.',
    }),
    uncovered: z.int().meta({
      description: 'Number of actions that no dialog or veil covers any more; they are not in `changed`.',
    }),
    reordered: z.array(z.string()).meta({
      description: 'Ids of the actions of each section whose order changed, in their present order.',
    }),
    messages: z.array(MessageBody).meta({
      description: 'Errors, why fields are invalid, and messages that are new since the observation before.',
    }),
    markdown: z.string().meta({ description: 'The difference as text, one line for each action.' }),
  })
  .meta({ id: 'SpaceDiff', description: 'The difference between two observations of a page.' });

export const SpaceBody = z
  .object({
    description: z.string().meta({ description: 'One or two sentences about the page and its content.' }),
    category: z.enum(SPACE_CATEGORIES).meta({ description: 'The kind of page.' }),
    markdown: z.string().meta({
      description:
        'The space as text, one line for each action or row of actions. Words of the page are always inside double quotes.',
    }),
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
    pending: z
      .object({
        requests: z.array(z.string()),
        timers: z.array(z.int()),
        busy: z.array(z.string()),
        navigation: z.string().nullable(),
      })
      .meta({
        description:
          'Unfinished work of the page: open requests of the last operation (method, host and path), milliseconds until each timer that it has set is due, the signs by which the page shows that it is busy, and host and path of the document for which the page is to be left.',
      }),
    downloads: z
      .array(z.object({ file_id: z.string().nullable(), name: z.string(), state: z.enum(DOWNLOAD_STATES) }))
      .meta({
        description:
          'The downloads that the last operation has started. GET /session/{session_id}/downloads/{file_id} returns a stored one.',
      }),
    console: z.object({ errors: z.int(), first: z.string() }).nullable().meta({
      description:
        'The errors of the console that the step has caused (logged errors, uncaught exceptions, failed requests), and the first of them; null for none.',
    }),
    dialog: z
      .object({
        kind: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
        message: z.string(),
        default_value: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The open dialog of the page; null if there is none.' }),
    messages: z
      .array(MessageBody)
      .meta({ description: 'What the page says, in the order of reading: at most 20 for each frame.' }),
    text_blocks: z
      .array(
        z.object({
          kind: z.enum(TEXT_BLOCK_KINDS),
          text: z.string().meta({ description: 'The words of the page on one line.' }),
          before: z.string().optional().meta({
            description: 'The id of the next listed action after the text; absent if none follows.',
          }),
        }),
      )
      .optional()
      .meta({
        description:
          'The text of the page that the list of actions does not show, in document order. Present only if the request has text and the page has such text.',
      }),
    diff: DiffBody.optional().meta({
      description:
        'The changes since diff_since. Present only if the request has diff_since, or `diff` in `fields`.',
    }),
  })
  .meta({ id: 'Space', description: 'The actions on a page.' });
export type SpaceBody = z.infer<typeof SpaceBody>;

const messageBody = ({
  kind,
  text,
  action,
  page,
  isNew,
}: SpaceFieldsFragment['messages'][number]): z.infer<typeof MessageBody> => ({
  kind: fromEnumName<MessageKind>(kind),
  text,
  ...(action !== null && { action }),
  ...(page !== null && { page }),
  is_new: isNew,
});

const textBlockBody = ({ kind, text, before }: SpaceFieldsFragment['textBlocks'][number]) => ({
  kind: fromEnumName<TextBlockKind>(kind),
  text,
  ...(before !== null && { before }),
});

const diffBody = (diff: DiffFieldsFragment, wanted: WantedFields, lean: boolean): z.infer<typeof DiffBody> =>
  evaluateBody<z.infer<typeof DiffBody>>(
    {
      added: inner => actionBodies(diff.added, lean)(inner),
      removed: inner => actionBodies(diff.removed, lean)(inner),
      changed: inner => actionBodies(diff.changed, lean)(inner),
      covered: () => diff.covered,
      uncovered: () => diff.uncovered,
      reordered: () => diff.reordered,
      messages: () => diff.messages.map(messageBody),
      markdown: () => diff.markdown,
    },
    wanted,
  );

/**
 * Converts a space to the REST body.
 * @param diff the difference of the observation, if it has one. With `selection.diffOnly` the lists of actions are then empty, and
 * `markdown` is that of the difference.
 * @param selection its `fields` are those of the space
 */
export function spaceBody(
  space: SpaceFieldsFragment,
  diff: DiffFieldsFragment | null = null,
  { fields, lean, diffOnly }: BodySelection = WHOLE_BODY,
): SpaceBody {
  const changes = diffOnly ? diff : null;
  const list = (name: 'actions' | 'specialActions' | 'browserActions') => (inner: WantedFields) =>
    changes === null ? actionBodies(space[name], lean)(inner) : [];
  return evaluateBody<SpaceBody>(
    {
      description: () => space.description,
      category: () => space.category.toLowerCase().replaceAll('_', '-') as SpaceCategory,
      markdown: () => (changes ?? space).markdown,
      actions: list('actions'),
      special_actions: list('specialActions'),
      browser_actions: list('browserActions'),
      total_actions: () => space.totalActions,
      truncated: () => space.truncated,
      pending: () => copyOfPending(space.pending),
      downloads: () =>
        space.downloads.map(({ fileId, name, state }) => ({
          file_id: fileId,
          name,
          state: fromEnumName<DownloadState>(state),
        })),
      console: () => space.console,
      dialog: () =>
        space.dialog && {
          kind: fromEnumName(space.dialog.kind),
          message: space.dialog.message,
          default_value: space.dialog.defaultValue,
        },
      messages: () => space.messages.map(messageBody),
      text_blocks: () => (space.textBlocks.length === 0 ? undefined : space.textBlocks.map(textBlockBody)),
      diff: inner => (diff === null ? undefined : diffBody(diff, inner, lean)),
    },
    fields,
  );
}
