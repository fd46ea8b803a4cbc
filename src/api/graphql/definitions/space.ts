import { z } from 'zod';
import { filterActions } from '../../../domain/space/actionFilter.ts';
import type { Space } from '../../../domain/space/space.ts';
import { spaceMarkdown } from '../../../domain/space/spaceMarkdown.ts';
import { field, requestFields } from '../../../operations/field.ts';
import { filterFields, toActionFilter } from '../../../operations/page.ts';
import type { Shape } from '../../../operations/results/shape.ts';
import { actionShape, diffShape, spaceShape } from '../../../operations/results/space.ts';
import { MARKDOWN_COST } from '../builder.ts';
import { inputArguments, resultType } from '../operationTypes.ts';

/** `observationId` is null for a space from the store, which keeps the last one of each session. */
export type SpaceNode = Space & { readonly sessionId: string; readonly observationId: string | null };

const markdownArguments = requestFields({
  maxTokens: field(
    'Int',
    'Limits the text to about this many tokens by leaving out the last actions. Default: no limit.',
    { check: z.int().min(100, 'must be at least 100').max(1_000_000, 'must be at most 1,000,000') },
  ),
});

export const SpaceType = resultType<SpaceNode>(spaceShape as Shape<SpaceNode>, t => ({
  markdown: t.string({
    complexity: MARKDOWN_COST,
    description: spaceShape.fields.markdown.description,
    args: inputArguments(t.arg, markdownArguments),
    resolve: (space, { maxTokens }) => spaceMarkdown(space, maxTokens),
  }),
  actions: t.field({
    type: [resultType(actionShape)],
    complexity: spaceShape.fields.actions.cost ?? 1,
    description: spaceShape.fields.actions.description,
    args: inputArguments(t.arg, filterFields),
    resolve: (space, filter) => filterActions(space.actions, toActionFilter(filter)),
  }),
  diff: t.field({
    type: resultType(diffShape),
    complexity: { field: 1, multiplier: 20 },
    description:
      'The changes on the page since an earlier observation, compared over all actions, listed or not.',
    args: {
      since: t.arg.id({
        required: true,
        description: 'The `id` of an earlier observation of the session.',
      }),
    },
    resolve: ({ sessionId, observationId }, { since }, { service }) =>
      service.observationDiff(sessionId, since, observationId),
  }),
}));
