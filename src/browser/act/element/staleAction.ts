import { Failure } from '../../../domain/failure/failures.ts';
import type { StaleTarget } from '../../../domain/space/staleSuggestions.ts';

/**
 * The failure ACTION_STALE: the element of the action is gone or has changed. The lease adds the current list of actions
 * to it, the most similar ones first.
 */
export class StaleAction extends Failure {
  /** The element that had the id when it was last listed. */
  readonly target: StaleTarget;

  /**
   * @param target the element that had the id when it was last listed
   * @param reason a clause for the failure text, such as `its page is gone`
   */
  constructor(id: string, target: StaleTarget & { readonly description: string }, reason: string) {
    super(
      'ACTION_STALE',
      `${id} (${target.description}) cannot be done: ${reason}. Choose from the fresh list.`,
    );
    this.target = target;
  }
}
