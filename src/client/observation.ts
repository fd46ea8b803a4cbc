/** A page as the client returns it: the answer of the service, and a search in its list. */
import type { Extracted } from './extracted.ts';
import type {
  ActionFieldsFragment,
  ActionKind,
  ClientObservationFragment,
  DataFieldsFragment,
} from './generated/operations.ts';
import { NoSingleActionError } from './pagespaceError.ts';

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
