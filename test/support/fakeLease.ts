/** The lease of FakeBrowserHost: one tab, whose page is fetched but not run. */

import { onAbort, race } from '../../src/async/race.ts';
import type { StepKind } from '../../src/domain/account/keyPolicy.ts';
import { CONTENT_PART_KEYS } from '../../src/domain/content/contentParts.ts';
import type { ScrapedData, ScrapeRequest, Screenshot } from '../../src/domain/content/scrape.ts';
import { Failure, isFailure } from '../../src/domain/failure/failures.ts';
import type {
  BrowserLease,
  PersonInput,
  StepOutcome,
  StepRequest,
} from '../../src/domain/ports/browserHost.ts';
import type { Deadline } from '../../src/domain/ports/clock.ts';
import { SecretMask } from '../../src/domain/secretMask.ts';
import type { InputEvent, ScreencastFrame } from '../../src/domain/session/takeOver.ts';
import {
  type ListingLimits,
  limitActions,
  NOTHING_PENDING,
  type PageMetadata,
  type PageObservation,
  type TabInfo,
} from '../../src/domain/space/space.ts';
import type { WaitCondition } from '../../src/domain/specialActions/specialActionDefinition.ts';
import { SPECIAL_ACTIONS } from '../../src/domain/specialActions/specialActions.ts';
import { BLANK_PAGE, type FakePage, parseFakePage } from './fakePage.ts';

export interface FakeLeaseOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the address to load. @throws Failure URL_BLOCKED, VALIDATION_ERROR */
  readonly checkUrl: (url: string) => string;
  /** Called once, when the lease closes. */
  readonly release: () => void;
}

/** A PNG of one white pixel, Base64. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=';
const MAX_FRAME_READERS = 50;
const UNLIMITED = { max: Number.MAX_SAFE_INTEGER, min: null };
const DEFAULT_MAX_ACTIONS = 100;

export class FakeLease implements BrowserLease {
  readonly secrets = new SecretMask();
  /** Events that a person has sent, in their order; `release` for a release by the service. */
  readonly received: InputEvent[] = [];
  readonly person: PersonInput;
  readonly #options: FakeLeaseOptions;
  readonly #closed = new AbortController();
  readonly #history: FakePage[] = [BLANK_PAGE];
  readonly #frameReaders = new Set<AsyncIterableIterator<ScreencastFrame>>();
  #hasObserved = false;

  constructor(options: FakeLeaseOptions) {
    this.#options = options;
    const { received } = this;
    this.person = {
      dispatch: async events => {
        received.push(...events);
        return { copied: null, picker: null };
      },
      release: async () => void received.push({ type: 'release' }),
      get counts() {
        return { inputs: received.filter(({ type }) => type === 'key_down').length, navigations: 0 };
      },
    };
  }

  get isBlank(): boolean {
    return this.#page === BLANK_PAGE;
  }

  async goto(url: string, deadline: Deadline): Promise<void> {
    const address = this.#options.checkUrl(url);
    this.#history.push(address === BLANK_PAGE.url ? BLANK_PAGE : await load(address, deadline));
  }

  observe(limits: ListingLimits, deadline: Deadline): Promise<PageObservation> {
    return this.#run(deadline, () => {
      this.#hasObserved = true;
      return this.#observation(limits);
    });
  }

  peek(deadline: Deadline): Promise<PageObservation | null> {
    return this.#run(deadline, () => (this.isBlank ? null : this.#observation(UNLIMITED)));
  }

  metadata(deadline: Deadline): Promise<PageMetadata> {
    return this.#run(deadline, () => this.#observation({ max: 0, min: null }).metadata);
  }

  async stepKinds(): Promise<readonly StepKind[]> {
    return ['write'];
  }

  async step(request: StepRequest, deadline: Deadline): Promise<StepOutcome> {
    deadline.signal.throwIfAborted();
    const { actionId, params, value } = request;
    const special = SPECIAL_ACTIONS.find(({ id }) => id === actionId);
    if (special === undefined) await this.#perform(actionId, value, deadline);
    else if (actionId === 'S1') await this.goto(params.url ?? value ?? '', deadline);
    else if (actionId === 'S4' && this.#history.length > 1) this.#history.pop();
    else if (actionId === 'S6' && !this.isBlank) await this.goto(this.#page.url, deadline);
    return {
      description: special?.description ?? `Performed ${actionId}`,
      scrape: actionId === 'S2',
      screenshot: actionId === 'S3',
      terminate: actionId === 'S8',
      notes: [],
    };
  }

  /** A page that is not run does not change: what is not there now never comes. */
  async waitFor(condition: WaitCondition, _waitMs: number | null, deadline: Deadline): Promise<void> {
    deadline.signal.throwIfAborted();
    if (condition.kind === 'network') return;
    const { space } = this.#observation({ max: DEFAULT_MAX_ACTIONS, min: null });
    const words = [this.#page.content.text ?? '', ...space.actions.map(({ description }) => description)];
    if (words.some(text => text.includes(condition.text)) !== condition.isPresent)
      throw new Failure('WAIT_TIMEOUT', `${condition.text} was not met.`, { space });
  }

  scrape(request: ScrapeRequest, deadline: Deadline): Promise<ScrapedData> {
    return this.#run(deadline, () => {
      const { content } = this.#page;
      const parts = CONTENT_PART_KEYS.map(
        part =>
          [part, part in request && request[part as keyof ScrapeRequest] ? content[part] : null] as const,
      );
      return { ...(Object.fromEntries(parts) as unknown as ScrapedData), contentType: 'text/html' };
    });
  }

  scrapeWithoutDialog(request: ScrapeRequest, deadline: Deadline): Promise<ScrapedData> {
    return this.scrape(request, deadline);
  }

  screenshot(deadline: Deadline): Promise<Screenshot | null> {
    return this.#run(deadline, () => ({ image: PIXEL, isCut: false }));
  }

  tabs(): readonly TabInfo[] {
    if (this.#closed.signal.aborted) return [];
    const { url, title } = this.#page;
    return [{ id: 'T1', url, title, active: true }];
  }

  takeSettlingMs = (): number => 0;

  frames(_options: unknown, signal: AbortSignal): AsyncIterableIterator<ScreencastFrame> {
    if (this.#frameReaders.size >= MAX_FRAME_READERS)
      throw new Failure('RATE_LIMITED', 'Too many readers receive the frames of this session.');
    const ended = AbortSignal.any([signal, this.#closed.signal]);
    const frames: AsyncIterableIterator<ScreencastFrame> = this.#frames(ended, () =>
      this.#frameReaders.delete(frames),
    );
    this.#frameReaders.add(frames);
    ended.addEventListener('abort', () => this.#frameReaders.delete(frames), { once: true });
    return frames;
  }

  async changeOptions(): Promise<void> {}

  async storageState(): ReturnType<BrowserLease['storageState']> {
    return { state: { cookies: [], origins: [] }, left: null };
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    this.#options.release();
  }

  get #page(): FakePage {
    return this.#history.at(-1) ?? BLANK_PAGE;
  }

  /** One frame of the page, then nothing until the signal aborts. */
  async *#frames(
    ended: AbortSignal,
    onEnd: () => void,
  ): AsyncGenerator<ScreencastFrame, undefined, undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    ended.addEventListener('abort', () => resolve(undefined), { once: true });
    try {
      if (ended.aborted) return;
      yield { tabId: 'T1', image: PIXEL, width: 1_280, height: 720, at: this.#options.now() };
      await promise;
    } finally {
      onEnd();
    }
  }

  /** Follows a link; does nothing for a button or a text field. */
  async #perform(actionId: string, value: string | null, deadline: Deadline): Promise<void> {
    if (!this.#hasObserved && !actionId.startsWith('S'))
      throw new Failure('NOT_OBSERVED', `The page has not been observed, so ${actionId} is unknown.`);
    const { actions, targets } = this.#page;
    const action = actions.find(({ id }) => id === actionId);
    const wasListed = this.#history.some(page => page.actions.some(({ id }) => id === actionId));
    if (action === undefined && wasListed)
      throw new Failure('ACTION_STALE', `${actionId} is out of date: its page is gone.`, {
        space: this.#observation({ max: DEFAULT_MAX_ACTIONS, min: null }).space,
      });
    if (action === undefined)
      throw new Failure('ACTION_NOT_FOUND', `${actionId} was never listed in this session.`);
    const target = targets.get(actionId);
    if (target !== undefined) await this.goto(target, deadline);
    else if (action.kind === 'input' && value !== null)
      this.#history.push(this.#page.withValue(actionId, value));
  }

  #observation(limits: ListingLimits): PageObservation {
    const { url, title, httpStatus, actions } = this.#page;
    const listed = limitActions(actions, limits);
    return {
      metadata: { url, title, timestamp: this.#options.now(), httpStatus, tabs: this.tabs() },
      space: {
        description: title === '' ? 'An empty page.' : title,
        category: 'other',
        actions: listed,
        specialActions: SPECIAL_ACTIONS,
        browserActions: [],
        totalActions: actions.length,
        truncated: listed.length < actions.length,
        dialog: null,
        messages: [],
        pending: NOTHING_PENDING,
        downloads: [],
      },
    };
  }

  async #run<T>(deadline: Deadline, work: () => T): Promise<T> {
    deadline.signal.throwIfAborted();
    return work();
  }
}

/** @throws Failure NAVIGATION_FAILED; the reason of the deadline */
async function load(address: string, deadline: Deadline): Promise<FakePage> {
  try {
    const response = await race(fetch(address, { signal: deadline.signal }), onAbort(deadline.signal));
    return parseFakePage(response.url, response.status, await response.text());
  } catch (cause) {
    if (isFailure(cause)) throw cause;
    deadline.signal.throwIfAborted();
    throw new Failure('NAVIGATION_FAILED', `${address} could not be loaded.`, { cause });
  }
}
