import { Semaphore } from '../../async/fairTurns.ts';
import { onAbort, race } from '../../async/race.ts';
import { Failure } from '../../domain/failure/failures.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { SecretMask } from '../../domain/secretMask.ts';
import type {
  Caller,
  OperationPart,
  PerformedInput,
  PerformedOperation,
  PerformedOutcome,
} from '../../domain/session/performedOperation.ts';
import type { RequestedOperation } from '../billing/sessionCharges.ts';

/** Maximum number of operations that wait in one session; the next one gets SESSION_BUSY. Part of the API contract. */
const MAX_WAITING_OPERATIONS = 8;

/** Runs the operations of one session one after another. Those who wait are counted by owner: one with a full queue refuses no other. */
export class OperationQueue extends Semaphore {
  constructor() {
    super({
      permits: 1,
      maxWaiting: MAX_WAITING_OPERATIONS,
      refusal: () =>
        new Failure(
          'SESSION_BUSY',
          `${MAX_WAITING_OPERATIONS} operations already wait in this session. Wait for their responses.`,
        ),
    });
  }
}

/** The deadline of one operation. Its creator can abort or restart it. */
export interface OperationDeadline extends Deadline, Disposable {
  abort(failure: Failure): void;
  /** Restarts the deadline with the full time: for uploads, whose duration depends on the caller's connection. */
  renew(): void;
}

/** Appears only in the event log of the session. */
export const callerGoneFailure = (): Failure =>
  new Failure('OPERATION_TIMEOUT', 'The caller disconnected before the operation ended.');

/** Returns a deadline to dispose after the operation: aborts with OPERATION_TIMEOUT, or with `signal` when the caller disconnects. */
export function operationDeadline(ms: number, signal: AbortSignal): OperationDeadline {
  const controller = new AbortController();
  let end = performance.now() + ms;
  const onTimeout = () =>
    controller.abort(
      new Failure('OPERATION_TIMEOUT', `The operation did not end within ${Math.round(ms / 1000)} seconds.`),
    );
  const onCallerGone = () => controller.abort(callerGoneFailure());
  const timer = setTimeout(onTimeout, ms);
  if (signal.aborted) onCallerGone();
  else signal.addEventListener('abort', onCallerGone, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => (controller.signal.aborted ? 0 : Math.max(0, end - performance.now())),
    abort: failure => controller.abort(failure),
    renew() {
      end = performance.now() + ms;
      timer.refresh();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onCallerGone);
    },
  };
}

/** Time after the deadline in which an operation can still end by itself and return its own error. Milliseconds. */
const DEADLINE_GRACE_MS = 2_000;

/** Settles like `work`, or rejects two seconds after the deadline: a silent browser must not block the queue of its session. */
export const settleByDeadline = <T>({ signal }: Deadline, work: Promise<T>): Promise<T> =>
  race(
    work,
    onAbort(signal, () => signal.reason, DEADLINE_GRACE_MS),
  );

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

  /** Adds the time of `work` to a part, also if it fails. @param lease whose settling pages meanwhile count as `settling` instead */
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

  add(part: OperationPart, ms: number): void {
    this.#timing[part] = (this.#timing[part] ?? 0) + ms;
  }

  /** Call it when the operation has ended. @param secrets those that the input must not tell; null before there is a browser */
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
