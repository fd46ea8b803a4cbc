/** Collects what the event of a running operation tells about it. */

import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { SecretMask } from '../../domain/secretMask.ts';
import type {
  Caller,
  OperationPart,
  PerformedInput,
  PerformedOperation,
  PerformedOutcome,
} from '../../domain/session/performedOperation.ts';
import type { RequestedOperation } from '../billing/sessionCharges.ts';

/** Collects the time of each part, the input and the outcome of one operation while it runs. */
export class OperationTrace {
  readonly #operation: RequestedOperation;
  readonly #caller: Caller;
  readonly #startedAt = performance.now();
  readonly #timing: Partial<Record<OperationPart, number>> = {};
  /** The input; set it before the work begins, so that the event of a failure has it too. */
  input: PerformedInput = {};
  outcome: PerformedOutcome = {};

  constructor(operation: RequestedOperation, caller: Caller) {
    this.#operation = operation;
    this.#caller = caller;
  }

  /**
   * Adds the time that `work` takes to a part, also if it fails.
   * @param lease for work during which pages settle: that time counts as `settling` instead
   */
  async measure<T>(
    part: OperationPart,
    work: Promise<T>,
    lease: Pick<BrowserLease, 'takeSettlingMs'> | null = null,
  ): Promise<T> {
    const from = performance.now();
    try {
      return await work;
    } finally {
      const wholeMs = performance.now() - from;
      const settlingMs = Math.min(lease?.takeSettlingMs() ?? 0, wholeMs);
      if (settlingMs > 0) this.add('settling', settlingMs);
      this.add(part, wholeMs - settlingMs);
    }
  }

  /** Adds milliseconds to a part. */
  add(part: OperationPart, ms: number): void {
    this.#timing[part] = (this.#timing[part] ?? 0) + ms;
  }

  /**
   * Returns the operation as its event tells it. Call it when the operation has ended.
   * @param secrets the secrets of the session by now, which the input must not tell; null before the session has a browser
   */
  toPerformed(secrets: SecretMask | null): PerformedOperation {
    const timing = Object.fromEntries(
      Object.entries(this.#timing).map(([part, ms]) => [part, Math.round(ms)]),
    );
    return {
      id: this.#operation.id,
      caller: this.#caller,
      durationMs: Math.round(performance.now() - this.#startedAt),
      timing,
      input: maskedInput(this.input, secrets),
      outcome: this.outcome,
    };
  }
}

/** Returns the input without secrets: the value and the parameters are what the caller has entered. */
function maskedInput(input: PerformedInput, secrets: SecretMask | null): PerformedInput {
  if (secrets === null || (input.value === undefined && input.params === undefined)) return input;
  const { value, params } = input;
  return {
    ...input,
    ...(value !== undefined && { value: secrets.maskValue(value) }),
    ...(params !== undefined && {
      params: Object.fromEntries(
        Object.entries(params).map(([name, text]) => [name, secrets.maskValue(text)]),
      ),
    }),
  };
}
