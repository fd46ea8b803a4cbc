/** The verbs: start, observe, step, scrape, close. */
import { randomUUID } from 'node:crypto';
import type { Viewer } from '../../domain/account.ts';
import { endsAfterOperation, type Operation } from '../../domain/endsAfterOperation.ts';
import { parseExtractSchema } from '../../domain/extractSchema.ts';
import { Failure } from '../../domain/failures.ts';
import { DEFAULT_TIMEOUT_MINUTES } from '../../domain/inputFields.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { StoredObservation } from '../../domain/ports/sessionStore.ts';
import { isActive, newSession } from '../../domain/session.ts';
import type { SessionEvent } from '../../domain/sessionEvent.ts';
import type { ObservedActions } from '../../domain/spaceDiff.ts';
import type { TierTable } from '../../domain/tiers.ts';
import type { Billing } from '../billing/billing.ts';
import type {
  CloseCommand,
  ObservationResult,
  ObserveCommand,
  OperationOptions,
  SessionOperations,
  StartCommand,
} from '../pagespace.ts';
import { LiveSession, type OperationRecord } from './liveSession.ts';
import { type ObservedPage, observePage } from './observePage.ts';
import { callerGoneFailure } from './operationDeadline.ts';
import type { SessionRegistry } from './sessionRegistry.ts';

/** The rules that come from configuration. */
export interface OperationConfig {
  readonly globalTimeoutMinutes: number;
  /** A session ends after this many minutes whatever is done in it; null for no such bound. */
  readonly maxLifetimeMinutes: number | null;
  readonly operationTimeoutMs: number;
  readonly tiers: TierTable;
}

/** A screenshot that a close asks for may take this long. */
const CLOSE_SCREENSHOT_TIMEOUT_MS = 5_000;

export function createSessionOperations(
  sessions: SessionRegistry,
  billing: Billing,
  config: OperationConfig,
): SessionOperations {
  const { operationTimeoutMs, tiers } = config;

  const maxTimeoutMinutes = ({ account }: Viewer): number =>
    Math.min(config.globalTimeoutMinutes, tiers[account.tier].timeoutMinutes ?? Number.POSITIVE_INFINITY);

  function validateTimeout(viewer: Viewer, options: Pick<OperationOptions, 'timeoutMinutes'>): number | null {
    const { timeoutMinutes } = options;
    const most = maxTimeoutMinutes(viewer);
    if (timeoutMinutes === null || timeoutMinutes <= most) return timeoutMinutes;
    const whose =
      most === config.globalTimeoutMinutes ? "the service's global timeout" : "the tier's timeout";
    const message = `must not be above ${whose} of ${most} minutes`;
    throw new Failure('VALIDATION_ERROR', `The session timeout ${message}.`, {
      errors: [{ path: 'sessionTimeoutMinutes', message }],
    });
  }

  /** @param started whether the session's start is itself the operation that is charged */
  async function startSession(
    viewer: Viewer,
    options: OperationOptions & Pick<StartCommand, 'spendCapMicros' | 'proxy'>,
    started: boolean,
  ): Promise<LiveSession> {
    const timeoutMinutes =
      validateTimeout(viewer, options) ?? Math.min(DEFAULT_TIMEOUT_MINUTES, maxTimeoutMinutes(viewer));
    const { maxLifetimeMinutes } = config;
    const facts = {
      id: randomUUID(),
      accountId: viewer.account.id,
      at: sessions.now(),
      timeoutMinutes,
      maxLifetimeMinutes,
    };
    await billing.assertCanPay(viewer, null);
    const meter = billing.createMeter(viewer, facts.id, options.spendCapMicros ?? null);
    try {
      return await sessions.start(newSession(facts), {
        meter,
        assertMayStart: () => billing.assertCanPay(viewer, null),
        startOperation: started ? { id: randomUUID(), kind: 'start', keyId: viewer.keyId } : null,
        maxConcurrentSessions: tiers[viewer.account.tier].sessionsAtOnce,
        proxy: options.proxy ?? null,
        signal: options.signal,
      });
    } catch (error) {
      meter.end();
      // Who left while waiting for a browser is no fault of ours.
      throw options.signal.aborted && error === options.signal.reason ? callerGoneFailure() : error;
    }
  }

  /** Runs an operation in the session it names, or in one made for it. */
  async function runInSession(
    operation: Exclude<Operation, 'close'>,
    viewer: Viewer,
    command: OperationOptions & Pick<ObserveCommand, 'sessionId' | 'data'>,
    work: (
      lease: BrowserLease,
      deadline: Deadline,
      live: LiveSession,
    ) => Promise<{ seen: ObservedPage; events: SessionEvent[]; ends: boolean }>,
  ): Promise<ObservationResult> {
    const timeoutMinutes = validateTimeout(viewer, command);
    // A schema that is none must not cost a visit, nor a session.
    if (command.data?.extract != null) parseExtractSchema(command.data.extract);
    const created = command.sessionId === null;
    const live =
      command.sessionId === null
        ? await startSession(viewer, command, false)
        : await sessions.requireLive(viewer, command.sessionId);
    const ends = endsAfterOperation(operation, created, command.keepAlive);
    const { answer, session } = await live.run(
      {
        name: operation,
        keyId: viewer.keyId,
        timeoutMs: operationTimeoutMs,
        caller: command.signal,
        timeoutMinutes,
        endsOnFailure: created,
        ...(!created && { mayBegin: () => billing.assertCanPay(viewer, live.meter) }),
      },
      async (lease, deadline) => {
        const done = await work(lease, deadline, live);
        return {
          answer: done.seen,
          record: toOperationRecord(live, done.seen, done.events, ends || done.ends, sessions.now()),
        };
      },
    );
    return { ...answer, session };
  }

  function readPage(
    operation: 'observe' | 'scrape',
    viewer: Viewer,
    command: ObserveCommand,
  ): Promise<ObservationResult> {
    if (command.sessionId === null && command.url === null) throw noPageFailure();
    return runInSession(operation, viewer, command, async (lease, deadline, live) => {
      const since = earlierObservation(live, command);
      const allowDownload = operation === 'scrape';
      if (command.url !== null) await lease.goto(command.url, deadline, { allowDownload });
      else if (lease.isBlank) throw noPageFailure();
      const seen = await observePage(live, lease, { ...command, since }, deadline);
      const at = sessions.now();
      const { url } = seen.metadata;
      const event: SessionEvent =
        operation === 'scrape'
          ? { type: 'scraped', at, url }
          : { type: 'observed', at, url, actions: seen.space?.totalActions ?? 0 };
      return { seen, events: [event], ends: false };
    });
  }

  return {
    async start(viewer, command) {
      const live = await startSession(viewer, command, !command.screenshot);
      if (!command.screenshot) return { session: live.session, screenshot: null };
      const { answer, session } = await live.run(
        {
          name: 'start',
          keyId: viewer.keyId,
          timeoutMs: operationTimeoutMs,
          caller: command.signal,
          timeoutMinutes: null,
          endsOnFailure: true,
        },
        async (lease, deadline) => {
          const record: OperationRecord = {
            events: [],
            ends: endsAfterOperation('start', true, command.keepAlive),
          };
          return { answer: await lease.screenshot(deadline, command.screenshotOptions), record };
        },
      );
      return { session, screenshot: answer };
    },

    observe: (viewer, command) => readPage('observe', viewer, command),
    scrape: (viewer, command) => readPage('scrape', viewer, command),

    step: (viewer, command) =>
      runInSession('step', viewer, command, async (lease, deadline, live) => {
        const since = earlierObservation(live, command);
        const { actionId, value, enter, params } = command;
        const outcome = await lease.step({ actionId, value, enter, params }, deadline);
        const data = outcome.scrape ? command.data : null;
        const screenshot = command.screenshot || outcome.screenshot;
        const seen = await observePage(live, lease, { ...command, screenshot, data, since }, deadline);
        const at = sessions.now();
        const { url } = seen.metadata;
        const { description } = outcome;
        return {
          seen,
          events: [{ type: 'stepped', at, actionId, description, url }],
          ends: outcome.terminate,
        };
      }),

    async close(viewer, command) {
      const known = await sessions.resolve(viewer, command.sessionId);
      if (!(known instanceof LiveSession)) return { session: known, screenshot: null };
      const screenshot = command.screenshot
        ? await screenshotBeforeClose(known, command.screenshotOptions)
        : null;
      await known.end({ type: 'close', at: sessions.now() });
      return { session: known.session, screenshot };
    },
  };
}

/** Judged before anything is done. @throws Failure VALIDATION_ERROR when the observation is not kept */
const earlierObservation = (
  live: LiveSession,
  { diffSince }: Pick<ObserveCommand, 'diffSince'>,
): ObservedActions | null => (diffSince == null ? null : live.observations.get(diffSince));

const noPageFailure = (): Failure =>
  new Failure(
    'VALIDATION_ERROR',
    'There is no page to read: give a url, or a session_id whose session has a page open.',
    {
      errors: [{ path: 'url', message: 'is required where the session has no page yet' }],
    },
  );

function toOperationRecord(
  live: LiveSession,
  seen: ObservedPage,
  events: readonly SessionEvent[],
  ends: boolean,
  at: number,
): OperationRecord {
  const { url, title, httpStatus } = seen.metadata;
  const { space } = seen;
  const observation: StoredObservation | undefined =
    space === null ? undefined : { sessionId: live.id, observedAt: at, url, title, httpStatus, space };
  return { events, ...(observation !== undefined && { observation }), page: { url, title }, ends };
}

async function screenshotBeforeClose(
  live: LiveSession,
  options: CloseCommand['screenshotOptions'],
): Promise<string | null> {
  if (!isActive(live.session)) return null;
  const end = performance.now() + CLOSE_SCREENSHOT_TIMEOUT_MS;
  const deadline: Deadline = {
    signal: AbortSignal.timeout(CLOSE_SCREENSHOT_TIMEOUT_MS),
    remainingMs: () => Math.max(0, end - performance.now()),
  };
  // Close closes, picture or not.
  return live.lease.screenshot(deadline, options).catch(() => null);
}
