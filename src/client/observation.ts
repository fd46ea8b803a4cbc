import type {
  ActionFieldsFragment,
  ActionKind,
  ClientObservationFragment,
  DataFieldsFragment,
} from './generated/operations.ts';
import { NoSingleActionError } from './pagespaceError.ts';

/**
 * The values of a schema. A value that the page does not have is null. An object without `type` whose values are schemas is
 * shorthand for its `properties`. A schema whose type is not known has values of type `unknown`.
 * @example Extracted<{ price: { type: 'number'; selector: '.price' } }> // { price: number | null } | null
 */
export type Extracted<Schema> = unknown extends Schema
  ? unknown
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value | null
    : Schema extends { readonly type: 'string' }
      ? string | null
      : Schema extends { readonly type: 'number' | 'integer' }
        ? number | null
        : Schema extends { readonly type: 'boolean' }
          ? boolean | null
          : Schema extends { readonly items: infer Item }
            ? Extracted<Item>[] | null
            : Schema extends { readonly properties: infer Parts }
              ? ExtractedParts<Parts> | null
              : Schema extends { readonly type: string }
                ? unknown
                : Schema extends { readonly selector: string } | { readonly label: string }
                  ? string | null
                  : string extends keyof Schema
                    ? unknown
                    : ExtractedParts<Schema> | null;

type ExtractedParts<Parts> = { -readonly [Name in keyof Parts]: Extracted<Parts[Name]> };

/** Narrows the search of `find`. */
export interface FindOptions {
  /** Only actions of this kind. */
  readonly kind?: ActionKind;
  /** Only actions whose description or heading contains this text: `Cotton, 300 g`. */
  readonly in?: string;
}

/** A page after an operation: the session, the list of actions, and what the operation asked for. */
export interface Observation extends ClientObservationFragment {
  /**
   * Returns the one action with this name: first of those whose name is the text, then of those whose name contains it, then of
   * those whose description does. Letters of both cases are the same.
   * @throws NoSingleActionError when no action matches, or several do; it has them in `candidates`
   */
  find(text: string, options?: FindOptions): ActionFieldsFragment;
}

/** The page after a scrape, with values of the type of its schema. */
export type Scraped<Schema> = Observation & {
  data?: (DataFieldsFragment & { extracted: Extracted<Schema> }) | null;
};

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();

/** Adds `find` to the answer of the service. It is not enumerable: copies and JSON have only the answer. */
export function observation<Answer extends ClientObservationFragment>(answer: Answer): Answer & Observation {
  const find: Observation['find'] = (text, { kind, in: place } = {}) => {
    const wanted = plain(text);
    const inside = place === undefined ? '' : plain(place);
    const possible = (answer.space?.actions ?? []).filter(
      action =>
        (kind === undefined || action.kind === kind) &&
        plain(`${action.category} ${action.description}`).includes(inside),
    );
    const levels: ((action: ActionFieldsFragment) => boolean)[] = [
      ({ name }) => plain(name ?? '') === wanted,
      ({ name }) => plain(name ?? '').includes(wanted),
      ({ description }) => plain(description).includes(wanted),
    ];
    const candidates = levels.map(level => possible.filter(level)).find(({ length }) => length > 0) ?? [];
    const [found] = candidates;
    if (found === undefined || candidates.length > 1)
      throw new NoSingleActionError(text, candidates, answer.space ?? null);
    return found;
  };
  return Object.defineProperty(answer, 'find', { value: find }) as Answer & Observation;
}
