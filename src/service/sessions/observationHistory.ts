/** The last observations of a session, kept to tell what has changed since. */
import type { Action } from '../../domain/action.ts';
import { Failure } from '../../domain/failures.ts';
import { type ObservedActions, type SpaceDiff, spaceDiff } from '../../domain/spaceDiff.ts';

/** This many observations can be named again. */
const MAX_OBSERVATIONS = 8;
/** Actions that a session's observations may keep together: about 1 kB each. An observation of more is not kept. */
const MAX_STORED_ACTIONS = 5_000;

export class ObservationHistory {
  readonly #observations = new Map<string, ObservedActions>();
  #count = 0;

  /** @returns the observation's id: `O1`, `O2`, never used again in the session */
  add(url: string, actions: readonly Action[]): string {
    const id = `O${++this.#count}`;
    if (actions.length > MAX_STORED_ACTIONS) return id;
    this.#observations.set(id, { url, actions });
    let sum = [...this.#observations.values()].reduce((total, its) => total + its.actions.length, 0);
    for (const [old, its] of this.#observations) {
      if (old === id || (this.#observations.size <= MAX_OBSERVATIONS && sum <= MAX_STORED_ACTIONS)) break;
      this.#observations.delete(old);
      sum -= its.actions.length;
    }
    return id;
  }

  /**
   * @param field how the caller's input names it
   * @throws Failure VALIDATION_ERROR when that observation never was, or is not kept any more
   */
  get(id: string, field = 'diffSince'): ObservedActions {
    const found = this.#observations.get(id.trim().toUpperCase());
    if (found === undefined) throw observationNotFound(field);
    return found;
  }

  /** @param id the later of the two; null for the last there was. @throws Failure as get */
  diff(since: string, id: string | null): SpaceDiff {
    const later = this.#observations.get(id ?? `O${this.#count}`);
    if (later === undefined) throw observationNotFound('since');
    return spaceDiff(this.get(since, 'since'), later);
  }
}

/** The refusal of an observation that nothing is known of. */
export function observationNotFound(field: string): Failure {
  const message = `must be the id of one of the last ${MAX_OBSERVATIONS} observations of an active session`;
  return new Failure('VALIDATION_ERROR', `${field} ${message}.`, {
    errors: [{ path: field, message }],
  });
}
