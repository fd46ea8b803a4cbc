import { Failure } from '../../domain/failures.ts';
import type { StaleTarget } from '../../domain/staleSuggestions.ts';

/**
 * The failure ACTION_STALE, with the element to which the id belonged. The lease adds a new space, with the most
 * similar actions first.
 */
export class StaleAction extends Failure {
  readonly target: StaleTarget;

  /** @param reason a clause such as `its page is gone` */
  constructor(id: string, target: StaleTarget & { readonly description: string }, reason: string) {
    super(
      'ACTION_STALE',
      `${id} (${target.description}) cannot be done: ${reason}. Choose from the fresh list.`,
    );
    this.target = target;
  }
}
