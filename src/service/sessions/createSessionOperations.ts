import { randomUUID } from 'node:crypto';
import { callerOf, type Tier, type TierTable, type Viewer } from '../../domain/account/account.ts';
import { networkPolicyOf } from '../../domain/account/keyPolicy.ts';
import { assertOwnSession, assertStartAllowed, kindCheckOf } from '../../domain/account/policyChecks.ts';
import { parseExtractSchema } from '../../domain/content/extractSchema.ts';
import type { Screenshot } from '../../domain/content/scrape.ts';
import { type Failure, fieldFailure } from '../../domain/failure/failures.ts';
import type { Audit } from '../../domain/ports/auditLog.ts';
import type { BrowserLease } from '../../domain/ports/browserHost.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { StoredObservation } from '../../domain/ports/sessionStore.ts';
import { type ShownOptions, shownOptions } from '../../domain/session/browserOptions.ts';
import {
  MAX_EVENT_TEXT,
  type PerformedOutcome,
  toStepInput,
} from '../../domain/session/performedOperation.ts';
import {
  DEFAULT_TIMEOUT_MINUTES,
  isActive,
  newSession,
  type RecordMode,
} from '../../domain/session/session.ts';
import type { SessionEvent } from '../../domain/session/sessionEvent.ts';
import { endsAfterOperation, minutesText, type Operation } from '../../domain/session/sessionLimits.ts';
import { cutText } from '../../domain/space/pageText.ts';
import type { ObservedActions } from '../../domain/space/spaceDiff.ts';
import { consoleLine } from '../../domain/space/spaceMarkdown.ts';
import { parseVaultPlaceholder } from '../../domain/vault.ts';
import { redactUrl } from '../../domain/webAddress.ts';
import type { AccountBilling } from '../billing/accountBilling.ts';
import { type OpenProfile, openProfile, type ProfileDeps } from '../secrets/profiles.ts';
import { openVaultSecret, type VaultDeps } from '../secrets/vault.ts';
import { LiveSession, type OperationRecord } from './liveSession.ts';
import { type ObservedPage, observeFailedPage, observePage } from './observePage.ts';
import {
  callerGoneFailure,
  type OperationDeadline,
  type OperationTrace,
  operationDeadline,
} from './operationDeadline.ts';
import { approvedKinds } from './sessionCommands.ts';
import {
  type CloseCommand,
  type ObservationResult,
  type ObserveCommand,
  type OperationOptions,
  pictureOf,
  type SessionOperations,
  type StartCommand,
  type WaitOptions,
} from './sessionOperations.ts';
import type { SessionRegistry } from './sessionRegistry.ts';
import type { HandedBack } from './takeOverControl.ts';

export interface OperationConfig extends Pick<ProfileDeps, 'profiles' | 'secretsKeys'>, VaultDeps {
  readonly audit: Audit;
  /** Returns the caller with the policy that the key has now. @throws Failure for a key that has ended */
  readonly callerNow: (viewer: Viewer) => Promise<Viewer>;
  /** Maximum idle timeout of a session, in minutes. The maximum of the tier applies too. */
  readonly globalTimeoutMinutes: number;
  /** Maximum lifetime of a session in minutes, even if it is in use; null for none. */
  readonly maxLifetimeMinutes: number | null;
  readonly operationTimeoutMs: number;
  readonly tiers: TierTable;
  readonly record: RecordMode;
  /** True if sessions record the console and the requests, unless their key says otherwise. */
  readonly pageLog: boolean;
}

/** After this time the session closes without a screenshot. Milliseconds. */
const CLOSE_SCREENSHOT_TIMEOUT_MS = 5_000;

type TimeoutConfig = Pick<OperationConfig, 'globalTimeoutMinutes' | 'tiers'>;

const maxTimeoutMinutes = ({ globalTimeoutMinutes, tiers }: TimeoutConfig, tier: Tier): number =>
  Math.min(globalTimeoutMinutes, tiers[tier].timeoutMinutes ?? Number.POSITIVE_INFINITY);

/** @throws Failure VALIDATION_ERROR if the idle timeout is above the maximum of the service or the tier */
export function assertTimeout(config: TimeoutConfig, tier: Tier, timeoutMinutes: number): number {
  const max = maxTimeoutMinutes(config, tier);
  if (timeoutMinutes <= max) return timeoutMinutes;
  const owner = max === config.globalTimeoutMinutes ? "the service's global timeout" : "the tier's timeout";
  const message = `must not be above ${owner} of ${minutesText(max)}`;
  throw fieldFailure('sessionTimeoutMinutes', message, `The session timeout ${message}.`);
}

/** @throws Failure VALIDATION_ERROR if the caller's is above that of the service */
function assertLifetime({ maxLifetimeMinutes: max }: OperationConfig, minutes: number | null): number | null {
  if (minutes === null || max === null || minutes <= max) return minutes ?? max;
  const message = `must not be above the service's maximum lifetime of ${max} minutes`;
  throw fieldFailure('maxLifetimeMinutes', message, `The lifetime ${message}.`);
}

/** Creates the operations on sessions. They ignore idempotency keys; `idempotent` adds them. */
export function createSessionOperations(
  registry: SessionRegistry,
  billing: AccountBilling,
  config: OperationConfig,
): SessionOperations {
  const { operationTimeoutMs, tiers } = config;

  const validateTimeout = (tier: Tier, timeoutMinutes: number | null): number | null =>
    timeoutMinutes === null ? null : assertTimeout(config, tier, timeoutMinutes);

  /** @param isCharged true to charge the start; false if an operation follows that is charged instead */
  async function startSession(
    viewer: Viewer,
    options: OperationOptions & Omit<StartCommand, keyof OperationOptions>,
    isCharged: boolean,
  ): Promise<LiveSession> {
    assertStartAllowed(viewer, options);
    const tier = await billing.currentTier(viewer.account);
    const { maxLifetimeMinutes: ownLifetime = null, options: browser = null } = options;
    const shown: ShownOptions = {
      ...(browser !== null && shownOptions(browser)),
      ...(ownLifetime !== null && { maxLifetimeMinutes: ownLifetime }),
      ...(options.profile != null && { profile: options.profile }),
    };
    const session = newSession({
      id: randomUUID(),
      accountId: viewer.account.id,
      startedBy: callerOf(viewer),
      at: registry.now(),
      timeoutMinutes:
        validateTimeout(tier, options.timeoutMinutes) ??
        Math.min(DEFAULT_TIMEOUT_MINUTES, maxTimeoutMinutes(config, tier)),
      maxLifetimeMinutes: assertLifetime(config, ownLifetime),
      options: Object.keys(shown).length === 0 ? null : shown,
      name: options.name ?? null,
      labels: options.labels ?? [],
      record: options.record ?? viewer.recording?.record ?? config.record,
      pageLog: config.pageLog && viewer.recording?.pageLog !== false,
    });
    await billing.assertCanPay(viewer, null);
    const charges = billing.createSessionCharges(viewer, session.id, options.spendCapMicros ?? null);
    let profile: OpenProfile | null = null;
    try {
      if (options.profile != null)
        profile = await openProfile(
          { ...config, now: () => registry.now() },
          viewer.account.id,
          session.id,
          options.profile,
        );
      return await registry.start(session, {
        charges,
        assertMayStart: () => billing.assertCanPay(viewer, null),
        startOperation: isCharged ? { id: randomUUID(), kind: 'start', keyId: viewer.keyId } : null,
        maxConcurrentSessions: tiers[tier].sessionsAtOnce,
        proxy: options.proxy ?? null,
        // A storage state goes before that of the profile, which then gets it.
        options: profile?.state == null ? browser : { storageState: profile.state, ...browser },
        profile,
        network: networkPolicyOf(viewer.policy),
        signal: options.signal,
      });
    } catch (error) {
      await profile?.release();
      charges.end();
      // A caller that disconnects while it waits for a browser is not a fault of the service.
      throw options.signal.aborted && error === options.signal.reason ? callerGoneFailure() : error;
    }
  }

  /** In the session `command.sessionId`, or in a new session if that is null. */
  async function runInSession(
    operation: Exclude<Operation, 'close'>,
    viewer: Viewer,
    command: OperationOptions &
      Pick<ObserveCommand, 'sessionId' | 'data' | 'waitForHandBack'> & { readonly actionId?: string },
    work: (
      lease: BrowserLease,
      deadline: OperationDeadline,
      live: LiveSession,
      trace: OperationTrace,
      handedBack: HandedBack | null,
    ) => Promise<{ page: ObservedPage; event: SessionEvent; ends: boolean }>,
  ): Promise<ObservationResult> {
    const timeoutMinutes =
      command.timeoutMinutes === null
        ? null
        : validateTimeout(await billing.currentTier(viewer.account), command.timeoutMinutes);
    // Refuse an invalid schema before the caller pays for a navigation or a session.
    if (command.data?.extract != null) parseExtractSchema(command.data.extract);
    const isNew = command.sessionId === null;
    const live =
      command.sessionId === null
        ? await startSession(viewer, command, false)
        : await registry.requireLive(viewer, command.sessionId);
    const endsAfter = endsAfterOperation(operation, isNew, command.keepAlive);
    const { result, session } = await live.run(
      {
        kind: operation,
        ...(command.actionId !== undefined && { actionId: command.actionId }),
        caller: callerOf(viewer),
        holdId: viewer.holdId ?? null,
        waitsForHandBack: command.waitForHandBack === true,
        timeoutMs: operationTimeoutMs,
        signal: command.signal,
        timeoutMinutes,
        endsOnFailure: isNew,
        ...(!isNew && { assertMayStart: () => billing.assertCanPay(viewer, live.charges) }),
      },
      async (lease, deadline, trace) => {
        const earlierObservationId = live.observations.newestId;
        const handedBack = viewer.holdId === undefined ? live.takeOver.handedBack : null;
        const { page, event, ends } = await work(lease, deadline, live, trace, handedBack).catch(
          tellFailedPage(live, lease, deadline, trace),
        );
        // Only a list has the sentence about what a person did.
        if (page.space !== null) live.takeOver.told(handedBack);
        trace.outcome = toOutcome(page, earlierObservationId, live.recorder.takePicture());
        return { result: page, record: toRecord(live, page, event, endsAfter || ends, registry.now()) };
      },
    );
    return { ...result, session };
  }

  function readPage(
    operation: 'observe' | 'scrape',
    viewer: Viewer,
    command: ObserveCommand,
  ): Promise<ObservationResult> {
    if (command.sessionId === null && command.url === null) throw noPageFailure();
    return runInSession(operation, viewer, command, async (lease, deadline, live, trace, handedBack) => {
      if (command.url !== null) trace.input = { url: redactUrl(command.url, MAX_EVENT_TEXT) };
      const since = earlierObservation(live, command, handedBack);
      const allowDownload = operation === 'scrape';
      if (command.url !== null)
        await trace.measure(
          'navigation',
          lease.goto(command.url, deadline, { allowDownload, waitMs: command.waitMs ?? null }),
          lease,
        );
      else if (lease.isBlank) throw noPageFailure();
      await trace.measure('settling', waitIfAsked(lease, command, deadline));
      // `observe` always lists the actions, because a step may follow.
      const space = operation === 'observe' || command.space;
      const dismissesDialog = operation === 'scrape';
      const page = await trace.measure(
        'reading',
        observePage(
          live,
          lease,
          { ...command, space, since, dismissesDialog, notes: notesOf(live, handedBack) },
          deadline,
        ),
      );
      const at = registry.now();
      const { url } = page.metadata;
      const event: SessionEvent =
        operation === 'scrape'
          ? { type: 'scraped', at, url }
          : { type: 'observed', at, url, actions: page.space?.totalActions ?? 0 };
      return { page, event, ends: false };
    });
  }

  return {
    async start(viewer, command) {
      const { url = null } = command;
      const isOnlyStart = !command.screenshot && url === null;
      const live = await startSession(viewer, command, isOnlyStart);
      if (isOnlyStart) return { session: live.sessionNow, ...pictureOf(null) };
      const { result, session } = await live.run(
        {
          kind: 'start',
          caller: callerOf(viewer),
          timeoutMs: operationTimeoutMs,
          signal: command.signal,
          timeoutMinutes: null,
          endsOnFailure: true,
        },
        async (lease, deadline, trace) => {
          if (url !== null) {
            trace.input = { url };
            await trace
              .measure('navigation', lease.goto(url, deadline), lease)
              .catch(tellFailedPage(live, lease, deadline, trace));
          }
          const page = url === null ? undefined : await lease.metadata(deadline);
          const result = command.screenshot
            ? await lease.screenshot(deadline, command.screenshotOptions)
            : null;
          const ends = endsAfterOperation('start', true, command.keepAlive);
          return { result, record: { events: [], ends, ...(page !== undefined && { page }) } };
        },
      );
      return { session, ...pictureOf(result) };
    },

    observe: (viewer, command) => readPage('observe', viewer, command),
    scrape: (viewer, command) => readPage('scrape', viewer, command),

    step: (caller, command) =>
      runInSession('step', caller, command, async (lease, deadline, live, trace, handedBack) => {
        // The step can have waited for its turn.
        const asking = await config.callerNow(caller);
        trace.input = toStepInput(command, live.observations.last);
        const since = earlierObservation(live, command, handedBack);
        const { actionId, value, enter, params } = command;
        const waitMs = command.waitMs ?? null;
        const approved = await approvedKinds(asking, command, live, deadline);
        const viewer = approved.length > 0 ? await config.callerNow(caller) : asking;
        const named = parseVaultPlaceholder(value, params);
        const use = { sessionId: live.id, actionId };
        const secret =
          named === null ? null : await openVaultSecret(config, viewer, named, use, () => registry.now());
        const outcome = await trace.measure(
          'action',
          lease.step(
            {
              ...{ actionId, value, enter, params, waitMs, secret },
              isApproved: approved.length > 0,
              assertKind: kindCheckOf(viewer, approved),
            },
            deadline,
          ),
          lease,
        );
        if (named !== null) await config.vault.recordUse(viewer.account.id, named.entry, registry.now());
        await trace.measure('settling', waitIfAsked(lease, command, deadline));
        const data = outcome.scrape || command.readsContent === true ? command.data : null;
        const screenshot = command.screenshot || outcome.screenshot;
        const { scrape: dismissesDialog } = outcome;
        const notes = [...notesOf(live, handedBack), ...outcome.notes];
        const options = { ...command, space: true, screenshot, data, dismissesDialog, since, notes };
        const page = await trace.measure('reading', observePage(live, lease, options, deadline));
        const at = registry.now();
        const { url } = page.metadata;
        const { description } = outcome;
        return {
          page,
          event: { type: 'stepped', at, actionId, description, url },
          ends: outcome.terminate,
        };
      }),

    async close(viewer, command) {
      const found = await registry.resolve(viewer, command.sessionId);
      if (!(found instanceof LiveSession)) return { session: found, ...pictureOf(null) };
      assertOwnSession(viewer, found);
      const { screenshot, screenshotOptions } = command;
      const picture = screenshot ? await screenshotBeforeClose(found, screenshotOptions) : null;
      await found.end({ type: 'close', at: registry.now(), by: callerOf(viewer) });
      return { session: found.session, ...pictureOf(picture) };
    },
  };
}

/**
 * Returns the observation with the id `diffSince`, or the last one for `last`; null without an id, and for `last` before the first
 * observation. After a person has handed the session back, it is the last one before they came, also without an id. Call it before the
 * operation changes the page.
 * @throws Failure VALIDATION_ERROR if the observation is no longer stored
 */
const earlierObservation = (
  live: LiveSession,
  { diffSince }: Pick<ObserveCommand, 'diffSince'>,
  handedBack: HandedBack | null,
): ObservedActions | null => {
  if (handedBack !== null && (diffSince == null || diffSince === LAST_OBSERVATION)) return handedBack.since;
  if (diffSince == null) return null;
  return diffSince === LAST_OBSERVATION ? live.observations.last : live.observations.get(diffSince);
};

const notesOf = ({ profileProblem }: LiveSession, handedBack: HandedBack | null): readonly string[] => [
  ...(handedBack === null ? [] : [handedBack.note]),
  ...(profileProblem === null ? [] : [profileProblem]),
];

const LAST_OBSERVATION = 'last';

/** @throws Failure WAIT_TIMEOUT */
async function waitIfAsked(
  lease: BrowserLease,
  { waitFor, waitMs }: WaitOptions,
  deadline: Deadline,
): Promise<void> {
  if (waitFor != null) await lease.waitFor(waitFor, waitMs ?? null, deadline);
}

const noPageFailure = (): Failure =>
  fieldFailure(
    'url',
    'is required if the session has no page yet',
    'There is no page to read. Send a url, or the session_id of a session with an open page.',
  );

const MAX_EVENT_MESSAGES = 20;
const MAX_MESSAGE_CHARACTERS = 500;

function toOutcome(
  { metadata: { url, title }, space, observationId }: ObservedPage,
  earlierObservationId: string | null,
  picture: number | null,
): PerformedOutcome {
  const messages = (space?.messages ?? [])
    .filter(({ isNew }) => isNew)
    .slice(0, MAX_EVENT_MESSAGES)
    .map(({ kind, text }) => ({ kind, text: cutText(text, MAX_MESSAGE_CHARACTERS) }));
  const downloads = (space?.downloads ?? []).map(({ name }) => name);
  return {
    url,
    title,
    ...(observationId !== null && { observationId }),
    ...(earlierObservationId !== null && { earlierObservationId }),
    ...(picture !== null && { picture }),
    ...(messages.length > 0 && { messages }),
    ...(downloads.length > 0 && { downloads }),
    ...(space?.console !== undefined && { console: consoleLine(space.console).trim() }),
  };
}

const tellFailedPage =
  (live: LiveSession, lease: BrowserLease, deadline: OperationDeadline, trace: OperationTrace) =>
  async (error: unknown): Promise<never> => {
    const earlierObservationId = live.observations.newestId;
    const page = await trace.measure('reading', observeFailedPage(live, lease, error, deadline));
    if (page !== null) trace.outcome = toOutcome(page, earlierObservationId, live.recorder.takePicture());
    throw error;
  };

function toRecord(
  live: LiveSession,
  { metadata, space, observationId }: ObservedPage,
  event: SessionEvent,
  ends: boolean,
  at: number,
): OperationRecord {
  const { url, title, httpStatus } = metadata;
  // Without a list, the stored one is kept as long as it is of this page.
  const kept = observationId === null && url !== live.session.url ? null : undefined;
  const observation: StoredObservation | null | undefined =
    space === null ? kept : { sessionId: live.id, observedAt: at, url, title, httpStatus, space };
  return { events: [event], ...(observation !== undefined && { observation }), page: { url, title }, ends };
}

async function screenshotBeforeClose(
  live: LiveSession,
  options: CloseCommand['screenshotOptions'],
): Promise<Screenshot | null> {
  if (!isActive(live.session)) return null;
  using deadline = operationDeadline(CLOSE_SCREENSHOT_TIMEOUT_MS, new AbortController().signal);
  // The session closes even if the screenshot fails.
  return await live.lease.screenshot(deadline, options).catch(() => null);
}
