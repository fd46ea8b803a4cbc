/** What has changed on a page between two observations. */
import type { SpaceDiff } from '../../../domain/spaceDiff.ts';
import { diffMarkdown } from '../../../domain/spaceMarkdown.ts';
import { builder } from '../builder.ts';
import { ActionType } from './action.ts';

export const SpaceDiffType = builder.objectRef<SpaceDiff>('SpaceDiff').implement({
  description: 'What has changed on a page between two observations of it.',
  fields: t => ({
    added: t.expose('added', {
      type: [ActionType],
      complexity: { field: 1, multiplier: 10 },
      description: 'Actions that were not there before, as they are now.',
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
        'Actions that say, hold or allow something else now, as they are now. Where they stand does not count.',
    }),
    markdown: t.string({
      description: 'The same as text: `+` for what was added, `~` for what changed, `-` for what is gone.',
      resolve: diff => diffMarkdown(diff),
    }),
  }),
});
