/** A page as a short list of actions. */
import { filterActions } from '../../../domain/actionFilter.ts';
import type { SpaceCategory as Category, Dialog, Space } from '../../../domain/space.ts';
import { spaceMarkdown } from '../../../domain/spaceMarkdown.ts';
import { builder } from '../builder.ts';
import { ActionKind, ActionType } from './action.ts';
import { domainEnum } from './domainEnum.ts';
import { SpaceDiffType } from './spaceDiff.ts';
import { toActionFilter } from './toActionFilter.ts';

const SpaceCategory = domainEnum<Category>('SpaceCategory', 'What sort of page it is.', {
  homepage: "A site's front page.",
  'search-results': 'Answers to a search.',
  'data-feed': 'A list of many like things: posts, products, messages, rows.',
  item: 'One thing: an article, a product, a profile.',
  auth: 'Signing in or up.',
  form: 'A form to fill in.',
  'manage-cookies': 'A question about cookies or consent.',
  payment: 'Paying.',
  captcha: 'A test whether the visitor is a person.',
  other: 'None of these.',
});

export const DialogKind = domainEnum<Dialog['kind']>('DialogKind', 'What sort of dialog it is.', {
  alert: 'Says something.',
  confirm: 'Asks yes or no.',
  prompt: 'Asks for a text.',
  beforeunload: 'Asks whether to leave the page.',
});

const DialogType = builder.objectRef<Dialog>('Dialog').implement({
  description:
    'A dialog that the page has open. The page stands still until S14 accepts or S15 dismisses it; any other step dismisses it first.',
  fields: t => ({
    kind: t.expose('kind', { type: DialogKind, description: 'What sort of dialog it is.' }),
    message: t.exposeString('message', { description: 'What it says.' }),
    defaultValue: t.exposeString('defaultValue', {
      nullable: true,
      description: 'The text that a prompt offers; null for other dialogs.',
    }),
  }),
});

/** A space, and which observation it is of: none that is known for the last one of a session, as the store keeps it. */
export type SpaceNode = Space & { readonly sessionId: string; readonly observationId: string | null };

export const SpaceType = builder.objectRef<SpaceNode>('Space').implement({
  description: 'What can be done on a page, as a list short enough to choose from.',
  fields: t => ({
    description: t.exposeString('description', {
      description: 'What the page is and holds, in a sentence or two.',
    }),
    category: t.expose('category', { type: SpaceCategory, description: 'What sort of page it is.' }),
    markdown: t.string({
      description:
        'The whole space as text for a reader or a model: one short line an action, under its category.',
      args: {
        maxTokens: t.arg.int({
          description:
            'Leaves out actions at the end so that the text has about this many tokens: 100 to 1,000,000. Default: all.',
          validate: {
            type: 'number',
            min: [100, { message: 'must be at least 100' }],
            max: [1_000_000, { message: 'must be at most 1,000,000' }],
          },
        }),
      },
      resolve: (space, { maxTokens }) => spaceMarkdown(space, maxTokens),
    }),
    actions: t.field({
      type: [ActionType],
      complexity: { field: 1, multiplier: 20 },
      description: "The page's own actions, in document order, grouped by category.",
      args: {
        kinds: t.arg({ type: [ActionKind], description: 'Only these kinds.' }),
        categories: t.arg.stringList({
          description: 'Only those of these categories, written as the actions have them.',
        }),
        search: t.arg.string({
          description: 'Only those whose description contains this, whatever its case.',
        }),
        inViewport: t.arg.boolean({
          description: 'true: only those that show without scrolling; false: only the others.',
        }),
      },
      resolve: (space, filter) => filterActions(space.actions, toActionFilter(filter)),
    }),
    specialActions: t.expose('specialActions', {
      type: [ActionType],
      complexity: { field: 1, multiplier: 8 },
      description:
        'The eight that are always there: goto, scrape, screenshot, back, forward, refresh, wait, terminate.',
    }),
    browserActions: t.expose('browserActions', {
      type: [ActionType],
      complexity: { field: 1, multiplier: 8 },
      description:
        'What the browser can do now: scroll, press keys, switch tabs, answer dialogs, hover, drag.',
    }),
    diff: t.field({
      type: SpaceDiffType,
      complexity: { field: 1, multiplier: 20 },
      description: 'What has changed on the page since an earlier observation, over all its actions.',
      args: {
        since: t.arg.id({
          required: true,
          description: 'The id of one of the last eight observations of the session, which must be active.',
        }),
      },
      resolve: ({ sessionId, observationId }, { since }, { service }) =>
        service.observationDiff(sessionId, since, observationId),
    }),
    totalActions: t.exposeInt('totalActions', {
      description: 'How many actions the page has, listed or not.',
    }),
    truncated: t.exposeBoolean('truncated', { description: 'Whether the list was cut at its limits.' }),
    dialog: t.expose('dialog', {
      type: DialogType,
      nullable: true,
      description: 'The dialog that the page has open, or null.',
    }),
  }),
});
