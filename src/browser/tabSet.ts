/** The tabs of one session: which there are, which is active, what opens and closes. */
import type { BrowserContext, Page } from 'playwright';
import type { SessionEvent } from '../domain/events.ts';
import type { Tab as TabRow } from '../domain/page.ts';
import { BlobList } from './blobList.ts';
import { refusedDocument } from './egress/checkAddress.ts';
import { Refusals } from './refusals.ts';
import { Tab, type TabListener } from './tab.ts';
import { withoutCredentials } from './withoutCredentials.ts';

/** A page that opens windows without end gets no further. */
const MOST_TABS = 20;
/** Dialogs that nobody was asked about; a page can open any number. */
const MOST_DISMISSED_TOLD = 100;
/** A window that was asked for and has not come by then was refused. */
const PATIENCE_WITH_WINDOW_MS = 1_500;
/** A window that has come has this long to be ready. */
const PATIENCE_WITH_OPENING_MS = 3_000;

export class TabSet {
  readonly #context: BrowserContext;
  readonly #tabs: Tab[] = [];
  readonly #opening = new Set<Promise<unknown>>();
  readonly #happened: (event: SessionEvent) => void;
  readonly #crashed: () => void;
  readonly #refusals: Refusals;
  readonly #now: () => number;
  /** The service's own page, which is no tab. */
  readonly blobs: BlobList;
  /** Told when another tab has become the active one. */
  readonly activeChanged = new Set<() => void>();
  #current: Tab;
  #count = 1;
  /** Pages opened in all, those that were closed at once among them. */
  opened = 1;
  /** Dialogs of other tabs than the active one. */
  #dismissed = 0;
  #windowsAsked = 0;
  #windowsCome = 0;
  #closing = false;

  /**
   * @param first the session's first tab, already open
   */
  constructor(
    context: BrowserContext,
    first: Tab,
    callbacks: { happened: (event: SessionEvent) => void; crashed: () => void; now: () => number },
  ) {
    this.#context = context;
    this.blobs = new BlobList(context);
    this.#current = first;
    this.#tabs.push(first);
    this.#happened = callbacks.happened;
    this.#crashed = callbacks.crashed;
    this.#refusals = new Refusals(callbacks.happened, callbacks.now);
    this.#now = callbacks.now;
    this.#watch(first);
    context.on('page', page => {
      const opening = this.#adopt(page).catch(() => {});
      this.#opening.add(opening);
      void opening.finally(() => this.#opening.delete(opening));
    });
  }

  get active(): Tab {
    return this.#current;
  }

  set #active(tab: Tab) {
    if (this.#current === tab) return;
    this.#current = tab;
    for (const tell of this.activeChanged) tell();
  }

  rows(): readonly TabRow[] {
    return this.#tabs.map(tab => ({
      id: tab.id,
      title: tab.title,
      url: tab.address,
      active: tab === this.#current,
    }));
  }

  get all(): readonly Tab[] {
    return this.#tabs;
  }

  byId(id: string): Tab | null {
    return this.#tabs.find(tab => tab.id === id.toUpperCase()) ?? null;
  }

  /** Makes a tab the active one. */
  async activate(tab: Tab): Promise<void> {
    this.#active = tab;
    await tab.page.bringToFront().catch(() => {});
  }

  /** Opens an empty tab in the place of one whose process died. */
  async replace(dead: Tab): Promise<Tab> {
    const index = this.#tabs.indexOf(dead);
    if (index >= 0) this.#tabs.splice(index, 1);
    this.#closing = true;
    try {
      const fresh = await this.#open(await this.#context.newPage(), dead.id);
      if (!this.#tabs.includes(fresh)) this.#tabs.splice(Math.max(0, index), 0, fresh);
      this.#active = fresh;
      void dead.page.close().catch(() => {});
      return fresh;
    } finally {
      this.#closing = false;
    }
  }

  /** Waits for the windows that the page has asked for; the newest that came is the active tab then. */
  async settleWindows(): Promise<void> {
    const end = performance.now() + PATIENCE_WITH_WINDOW_MS;
    while (this.#windowsCome < this.#windowsAsked && performance.now() < end)
      await this.#current.activity.change(end - performance.now());
    this.#windowsAsked = this.#windowsCome = 0;
    if (this.#opening.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    // Where the opener spins, what it opened in its own process does not come up: it is adopted when it does.
    const timer = setTimeout(resolve, PATIENCE_WITH_OPENING_MS);
    await Promise.race([Promise.all(this.#opening), promise]);
    clearTimeout(timer);
  }

  /** From here on pages that go are no news. */
  stop(): void {
    this.#closing = true;
  }

  readonly #listener: TabListener = {
    dialogOpened: (tab, dialog) => {
      const stays = tab === this.#current;
      // Pages that open each other share a process: one that stands still behind its dialog holds up the others.
      if (stays || this.#dismissed++ < MOST_DISMISSED_TOLD)
        this.#happened({ type: 'dialog', at: this.#now(), kind: dialog.type(), message: dialog.message() });
      return stays;
    },
    crashed: () => this.#crashed(),
    closed: tab => this.#gone(tab),
  };

  async #adopt(page: Page): Promise<void> {
    if (await this.blobs.isPage(page)) return;
    this.#windowsCome++;
    this.#current.activity.wake();
    if (this.#closing) return;
    this.opened++;
    if (this.#tabs.length >= MOST_TABS) return page.close();
    const tab = await this.#open(page, `T${++this.#count}`);
    if (page.isClosed()) return;
    this.#tabs.push(tab);
    this.#active = tab;
    this.#happened({ type: 'tab', at: this.#now(), tabId: tab.id, url: tab.address, opened: true });
  }

  async #open(page: Page, id: string): Promise<Tab> {
    const tab = await Tab.open(id, page);
    this.#watch(tab);
    return tab;
  }

  #watch(tab: Tab): void {
    tab.listener = this.#listener;
    this.#refusals.watch(tab);
    tab.target.channel.session.on('Page.frameNavigated', ({ frame }) => {
      const reason = frame.id === tab.mainFrameId ? refusedDocument(frame.url) : null;
      if (reason === null) return;
      // Chromium keeps pages from such documents by itself; this is the second lock.
      this.#happened({
        type: 'blocked',
        at: this.#now(),
        url: withoutCredentials(frame.url).slice(0, 2_000),
        reason,
      });
      tab.page.goto('about:blank').catch(() => {});
    });
    tab.target.channel.session.on('Page.windowOpen', () => {
      this.#windowsAsked++;
    });
  }

  #gone(tab: Tab): void {
    const index = this.#tabs.indexOf(tab);
    if (index < 0 || this.#closing) return;
    this.#tabs.splice(index, 1);
    this.#happened({ type: 'tab', at: this.#now(), tabId: tab.id, url: tab.address, opened: false });
    const next = this.#tabs[Math.max(0, index - 1)];
    // The last tab stays, closed, as the active one: the next operation opens another in its place.
    if (next === undefined) this.#tabs.push(tab);
    else if (this.#current === tab) this.#active = next;
  }
}
