/** The verbs: start, observe, step, scrape, close. */
import { randomUUID } from 'node:crypto';
import type { Viewer } from '../domain/account.ts';
import type { SessionEvent } from '../domain/events.ts';
import { extractSchema } from '../domain/extractSchema.ts';
import { Failure } from '../domain/failures.ts';
import { DEFAULT_TIMEOUT_MINUTES } from '../domain/input.ts';
import type { BrowserLease, Deadline, KeptObservation } from '../domain/ports.ts';
import { endsAfter, isActive, newSession, type Operation } from '../domain/session.ts';
import type { SeenActions } from '../domain/spaceDiff.ts';
import type { TierTable } from '../domain/tiers.ts';
import { callerGone } from './deadline.ts';
import { LiveSession, type OperationRecord } from './liveSession.ts';
import type { LiveSessions } from './liveSessions.ts';
import { look, type Seen } from './look.ts';
import type { Till } from './till.ts';
import type {
  CloseCommand,
  ObservationAnswer,
  ObserveCommand,
  OperationOptions,
  Operations,
  StartCommand,
} from './verbs.ts';

/** The rules that come from configuration. */
export interface OperationRules {
  readonly globalTimeoutMinutes: number;
  /** A session ends after this many minutes whatever is done in it; null for no such bound. */
  readonly maxLifetimeMinutes: number | null;
  readonly operationTimeoutMs: number;
  readonly tiers: TierTable;
}

/** A screenshot that a close asks for may take this long. */
const LAST_SCREENSHOT_MS = 5_000;

export function createOperations(lives: LiveSessions, till: Till, rules: OperationRules): Operations {
  const { operationTimeoutMs, tiers } = rules;

  const longestTimeout = ({ account }: Viewer): number =>
    Math.min(rules.globalTimeoutMinutes, tiers[account.tier].timeoutMinutes ?? Number.POSITIVE_INFINITY);

  function timeoutOf(viewer: Viewer, options: Pick<OperationOptions, 'timeoutMinutes'>): number | null {
    const { timeoutMinutes } = options;
    const most = longestTimeout(viewer);
    if (timeoutMinutes === null || timeoutMinutes <= most) return timeoutMinutes;
    const whose = most === rules.globalTimeoutMinutes ? "the service's global timeout" : "the tier's timeout";
    const message = `must not be above ${whose} of ${most} minutes`;
    throw new Failure('VALIDATION_ERROR', `The session timeout ${message}.`, {
      errors: [{ path: 'sessionTimeoutMinutes', message }],
    });
  }

  /** @param started whether the session's start is itself the operation that is charged */
  async function begin(
    viewer: Viewer,
    options: OperationOptions & Pick<StartCommand, 'spendCapMicros' | 'proxy'>,
    started: boolean,
  ): Promise<LiveSession> {
    const timeoutMinutes =
      timeoutOf(viewer, options) ?? Math.min(DEFAULT_TIMEOUT_MINUTES, longestTimeout(viewer));
    const { maxLifetimeMinutes } = rules;
    const facts = {
      id: randomUUID(),
      accountId: viewer.account.id,
      at: lives.now(),
      timeoutMinutes,
      maxLifetimeMinutes,
    };
    await till.check(viewer, null);
    const meter = till.meter(viewer, facts.id, options.spendCapMicros ?? null);
    try {
      return await lives.begin(newSession(facts), {
        meter,
        mayBegin: () => till.check(viewer, null),
        started: started ? { id: randomUUID(), kind: 'start', keyId: viewer.keyId } : null,
        mostAtOnce: tiers[viewer.account.tier].sessionsAtOnce,
        proxy: options.proxy ?? null,
        caller: options.signal,
      });
    } catch (error) {
      meter.end();
      // Who left while waiting for a browser is no fault of ours.
      throw options.signal.aborted && error === options.signal.reason ? callerGone() : error;
    }
  }

  /** Runs an operation in the session it names, or in one made for it. */
  async function within(
    operation: Exclude<Operation, 'close'>,
    viewer: Viewer,
    command: OperationOptions & Pick<ObserveCommand, 'sessionId' | 'data'>,
    work: (
      lease: BrowserLease,
      deadline: Deadline,
      live: LiveSession,
    ) => Promise<{ seen: Seen; events: SessionEvent[]; ends: boolean }>,
  ): Promise<ObservationAnswer> {
    const timeoutMinutes = timeoutOf(viewer, command);
    // A schema that is none must not cost a visit, nor a session.
    if (command.data?.extract != null) extractSchema(command.data.extract);
    const created = command.sessionId === null;
    const live =
      command.sessionId === null
        ? await begin(viewer, command, false)
        : await lives.find(viewer, command.sessionId);
    const ends = endsAfter(operation, created, command.keepAlive);
    const { answer, session } = await live.run(
      {
        name: operation,
        keyId: viewer.keyId,
        timeoutMs: operationTimeoutMs,
        caller: command.signal,
        timeoutMinutes,
        endsOnFailure: created,
        ...(!created && { mayBegin: () => till.check(viewer, live.meter) }),
      },
      async (lease, deadline) => {
        const done = await work(lease, deadline, live);
        return {
          answer: done.seen,
          record: recordOf(live, done.seen, done.events, ends || done.ends, lives.now()),
        };
      },
    );
    return { ...answer, session };
  }

  function visit(
    operation: 'observe' | 'scrape',
    viewer: Viewer,
    command: ObserveCommand,
  ): Promise<ObservationAnswer> {
    if (command.sessionId === null && command.url === null) throw nothingToRead();
    return within(operation, viewer, command, async (lease, deadline, live) => {
      const since = earlier(live, command);
      const take = operation === 'scrape' ? 'files too' : undefined;
      if (command.url !== null) await lease.goto(command.url, deadline, take);
      else if (lease.blank) throw nothingToRead();
      const seen = await look(live, lease, { ...command, since }, deadline);
      const at = lives.now();
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
      const live = await begin(viewer, command, !command.screenshot);
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
          const record: OperationRecord = { events: [], ends: endsAfter('start', true, command.keepAlive) };
          return { answer: await lease.screenshot(deadline, command.screenshotOptions), record };
        },
      );
      return { session, screenshot: answer };
    },

    observe: (viewer, command) => visit('observe', viewer, command),
    scrape: (viewer, command) => visit('scrape', viewer, command),

    step: (viewer, command) =>
      within('step', viewer, command, async (lease, deadline, live) => {
        const since = earlier(live, command);
        const { actionId, value, enter, params } = command;
        const outcome = await lease.step({ actionId, value, enter, params }, deadline);
        const data = outcome.scrape ? command.data : null;
        const screenshot = command.screenshot || outcome.screenshot;
        const seen = await look(live, lease, { ...command, screenshot, data, since }, deadline);
        const at = lives.now();
        const { url } = seen.metadata;
        const { description } = outcome;
        return {
          seen,
          events: [{ type: 'stepped', at, actionId, description, url }],
          ends: outcome.terminate,
        };
      }),

    async close(viewer, command) {
      const known = await lives.lookUp(viewer, command.sessionId);
      if (!(known instanceof LiveSession)) return { session: known, screenshot: null };
      const screenshot = command.screenshot ? await lastScreenshot(known, command.screenshotOptions) : null;
      await known.end({ type: 'close', at: lives.now() });
      return { session: known.session, screenshot };
    },
  };
}

/** Judged before anything is done. @throws Failure VALIDATION_ERROR when the observation is not kept */
const earlier = (live: LiveSession, { diffSince }: Pick<ObserveCommand, 'diffSince'>): SeenActions | null =>
  diffSince == null ? null : live.sightings.get(diffSince);

const nothingToRead = (): Failure =>
  new Failure(
    'VALIDATION_ERROR',
    'There is no page to read: give a url, or a session_id whose session has a page open.',
    {
      errors: [{ path: 'url', message: 'is required where the session has no page yet' }],
    },
  );

function recordOf(
  live: LiveSession,
  seen: Seen,
  events: readonly SessionEvent[],
  ends: boolean,
  at: number,
): OperationRecord {
  const { url, title, httpStatus } = seen.metadata;
  const { space } = seen;
  const observation: KeptObservation | undefined =
    space === null ? undefined : { sessionId: live.id, observedAt: at, url, title, httpStatus, space };
  return { events, ...(observation !== undefined && { observation }), page: { url, title }, ends };
}

async function lastScreenshot(
  live: LiveSession,
  options: CloseCommand['screenshotOptions'],
): Promise<string | null> {
  if (!isActive(live.session)) return null;
  const end = performance.now() + LAST_SCREENSHOT_MS;
  const deadline: Deadline = {
    signal: AbortSignal.timeout(LAST_SCREENSHOT_MS),
    remainingMs: () => Math.max(0, end - performance.now()),
  };
  // Close closes, picture or not.
  return live.lease.screenshot(deadline, options).catch(() => null);
}
