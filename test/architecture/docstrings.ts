/** Rules of wording that a program can check. */
import type { Sources } from './imports.ts';

/** `path: beginning` for every docstring that begins with a question word instead of the thing that it describes. */
export const headlessDocstrings = (sources: Sources): string[] =>
  [...sources].flatMap(([path, text]) =>
    [...text.matchAll(/\/\*\*\s*(?:\* )?((?:What|Where|Who|Whether)\b.{0,60})/g)].map(
      ([, beginning]) => `${path}: ${beginning}`,
    ),
  );
