/** The type SpaceDiff: what changed on a page between two observations. */

import { diffMarkdown } from '../../../domain/space/diffMarkdown.ts';
import type { SpaceDiff } from '../../../domain/space/spaceDiff.ts';
import { builder } from '../builder.ts';
import { ActionType } from './action.ts';
import { PageMessageType } from './pageMessage.ts';

export const SpaceDiffType = builder.objectRef<SpaceDiff>('SpaceDiff').implement({
  description: 'The changes on a page between two observations.',
  fields: t => ({
    added: t.expose('added', {
      type: [ActionType],
      complexity: { field: 1, multiplier: 10 },
      description: 'Actions that are new.',
    }),
    removed: t.expose('removed', {
      type: [ActionType],
      complexity: { field: 1, multiplier: 10 },
      description: 'Actions that are gone, as they were.',
    }),
    changed: t.expose('changed', {
      type: [ActionType],
      complexity: { field: 1, multiplier: 10 },
      description:
        'Actions whose text, value or state changed, as they are now; also those that got the focus, whose caret or selection moved, whose canvas has a new picture, or that have another icon or other classes: `markdown` says so. A change of position does not count.',
    }),
    covered: t.int({
      description:
        'Number of actions whose only change is that something covers them now. They are not in `changed`. Up to three that neither a dialog nor a veil covers are in `changed` instead.',
      resolve: ({ covered }) => covered ?? 0,
    }),
    uncovered: t.int({
      description: 'The same for actions that nothing covers any more.',
      resolve: ({ uncovered }) => uncovered ?? 0,
    }),
    reordered: t.stringList({
      description:
        'Ids of the actions of each section whose order changed, in their present order, as after a drag or a sort. Empty if no order changed.',
      resolve: ({ reordered }) => [...(reordered ?? [])],
    }),
    messages: t.expose('messages', {
      type: [PageMessageType],
      complexity: { field: 1, multiplier: 4 },
      description:
        'What the page says now: alerts, why fields are invalid, and every message that is new since the observation before.',
    }),
    markdown: t.string({
      description:
        'The difference as text: first `Page "Orders" "https://…"` if another address is shown, or `Tab T2 "Orders" "https://…"` if another tab is active; then `!` for messages, `+` for added, `~` for changed, `-` for removed actions (`- B4–B9 L2`). Actions of which only the place among others changed have no line if there is more to tell.',
      resolve: diff => diffMarkdown(diff),
    }),
  }),
});
