/** A person at the controls of a session, or the agent's wait for one. */

/** The take-over of a session. Times are in milliseconds since the epoch. */
export interface TakeOver {
  /** `waiting`: the agent has asked for a person. `held`: a person has the controls. */
  readonly status: 'waiting' | 'held';
  /** The task that the agent gives; null if a person has begun without a request. */
  readonly instructions: string | null;
  /** Name of the person who has the controls; null while the session waits. */
  readonly holder: string | null;
  /** Beginning of this status. */
  readonly since: number;
  /** Time at which a request without an answer lapses; null while a person has the controls. */
  readonly until: number | null;
}

/** Number of a person's inputs (keys, buttons, fingers, texts, pastes, turns of the wheel), and of new documents in the tabs meanwhile. */
export interface InputCounts {
  readonly inputs: number;
  readonly navigations: number;
}

/** Returns the sentence that tells an agent what a person did: `a person: 6 inputs, 1 navigation`. */
export const inputCountsText = ({ inputs, navigations }: InputCounts): string =>
  `a person: ${inputs} ${inputs === 1 ? 'input' : 'inputs'}, ${navigations} ${navigations === 1 ? 'navigation' : 'navigations'}`;
