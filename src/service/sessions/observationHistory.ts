import { type Failure, fieldFailure } from '../../domain/failure/failures.ts';
import { type ObservedActions, type SpaceDiff, spaceDiff } from '../../domain/space/spaceDiff.ts';

const MAX_OBSERVATIONS = 8;
/** Of all stored observations of a session together; an action needs about 1 kB. A larger observation is not stored. */
const MAX_STORED_ACTIONS = 5_000;

/** A Map and not an LRU cache: reading an observation must not keep it longer. */
export class ObservationHistory {
  readonly #observations = new Map<string, ObservedActions>();
  #count = 0;
  #lastTold = 0;

  /** Stores an observation of at most 5,000 actions, and drops the oldest ones beyond the limits. */
  add(observation: ObservedActions): string {
    const { actions } = observation;
    const id = this.addUntold();
    this.#lastTold = this.#count;
    if (actions.length > MAX_STORED_ACTIONS) return id;
    this.#observations.set(id, observation);
    let total = [...this.#observations.values()].reduce((sum, each) => sum + each.actions.length, 0);
    for (const [oldest, each] of this.#observations) {
      if (oldest === id || (this.#observations.size <= MAX_OBSERVATIONS && total <= MAX_STORED_ACTIONS))
        break;
      this.#observations.delete(oldest);
      total -= each.actions.length;
    }
    return id;
  }

  /** Counts an observation that is in the record only, and returns its id. */
  addUntold(): string {
    return `O${++this.#count}`;
  }

  /** @throws Failure VALIDATION_ERROR if the observation does not exist or is no longer stored */
  get(id: string): ObservedActions {
    const found = this.#observations.get(id.trim().toUpperCase());
    if (found === undefined) throw observationNotFound('diffSince');
    return found;
  }

  /** Id of the last observation, those of the record included; null before the first one. */
  get newestId(): string | null {
    return this.#count === 0 ? null : `O${this.#count}`;
  }

  /** Id of the last observation that the caller was told; null before the first one. */
  get lastId(): string | null {
    return this.#lastTold === 0 ? null : `O${this.#lastTold}`;
  }

  /** The observation of `lastId`; null before the first one, and if it was too large to be stored. */
  get last(): ObservedActions | null {
    return this.#observations.get(`O${this.#lastTold}`) ?? null;
  }

  /** Returns the difference between two observations; null if one of them is not here: the record may have it. */
  diff(since: string, id: string | null): SpaceDiff | null {
    const later = this.#observations.get(id ?? `O${this.#lastTold}`);
    const earlier = this.#observations.get(since.trim().toUpperCase());
    return later === undefined || earlier === undefined ? null : spaceDiff(earlier, later);
  }
}

export const observationNotFound = (field: string): Failure =>
  fieldFailure(
    field,
    `must be the id of one of the last ${MAX_OBSERVATIONS} observations of an active session`,
  );
