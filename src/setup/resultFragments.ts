/** GraphQL fragments that select every field of the results of operations, made from their shapes. */

import { metadataShape } from '../operations/results/observation.ts';
import { scrapedDataShape } from '../operations/results/scrapedData.ts';
import { sessionShape } from '../operations/results/session.ts';
import type { Shape } from '../operations/results/shape.ts';
import { actionShape, diffShape, messageShape, spaceShape } from '../operations/results/space.ts';

/** The fragments by their shapes. Other shapes are written out where they occur. */
const FRAGMENTS: ReadonlyMap<Shape<never>, string> = new Map<Shape<never>, string>([
  [sessionShape, 'SessionFields'],
  [actionShape, 'ActionFields'],
  [messageShape, 'MessageFields'],
  [spaceShape, 'SpaceFields'],
  [diffShape, 'DiffFields'],
  [metadataShape, 'MetadataFields'],
  [scrapedDataShape, 'DataFields'],
]);

/** Returns the GraphQL fragments that select each shape of a result whole, as the text of their file. */
export const resultFragments = (): string =>
  `# Every field of the results of operations. Written by: npm run schema\n${[...FRAGMENTS]
    .map(([shape, name]) => `\nfragment ${name} on ${shape.name} ${selectionOf(shape, '')}\n`)
    .join('')}`;

function selectionOf({ fields }: Shape<never>, indent: string): string {
  const lines = Object.entries(fields)
    // Only start and close take a screenshot of a session: their documents select it.
    .filter(([name]) => name !== 'screenshot')
    .map(([name, { type }]) => {
      const inner = Array.isArray(type) ? type[0] : type;
      if (typeof inner === 'string' || inner.kind === 'enum') return `${indent}  ${name}\n`;
      const fragment = FRAGMENTS.get(inner);
      const selection =
        fragment === undefined
          ? selectionOf(inner, `${indent}  `)
          : `{\n${indent}    ...${fragment}\n${indent}  }`;
      return `${indent}  ${name} ${selection}\n`;
    });
  return `{\n${lines.join('')}${indent}}`;
}
