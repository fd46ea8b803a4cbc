/** What Chromium itself refuses to a session's pages: no request comes of it, so that the egress proxy never hears of it. */
import type { SessionEvent } from '../domain/events.ts';
import { refusedDocument } from './egress/checkAddress.ts';
import type { Tab } from './tab.ts';
import { withoutCredentials } from './withoutCredentials.ts';

/** Chromium's own words, of addresses that are no web's, in its log of violations: pages cannot write there. */
const REFUSED = /^Not allowed to (?:load local resource|navigate (?:top frame )?to \w+ URL): (\S+)$/;

/** A hostile page can try any number. */
const MOST_TOLD = 256;
const LONGEST_URL = 2_000;

export class Refusals {
  readonly #told = new Set<string>();
  readonly #tell: (event: SessionEvent) => void;
  readonly #now: () => number;

  constructor(tell: (event: SessionEvent) => void, now: () => number) {
    this.#tell = tell;
    this.#now = now;
  }

  /** Listens to one tab; `Log.enable` and `Page.enable` are the tab's. */
  watch({ target, mainFrameId }: Tab): void {
    const { session } = target.channel;
    session.on('Log.entryAdded', ({ entry }) => {
      const url = REFUSED.exec(entry.text)?.[1];
      if (url !== undefined) this.#refused(url);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, url }) => {
      if (frameId === mainFrameId) this.#refused(url);
    });
    session.on('Page.windowOpen', ({ url }) => {
      // A script of the page's own, with no more rights than the page.
      if (!/^javascript:/i.test(url)) this.#refused(url);
    });
  }

  /** Tells of an address once, if it is none of the web's. */
  #refused(url: string): void {
    const reason = refusedDocument(url);
    // A form adds its query.
    const address = withoutCredentials(url).slice(0, LONGEST_URL).replace(/\?$/, '');
    if (reason === null || this.#told.has(address) || this.#told.size >= MOST_TOLD) return;
    this.#told.add(address);
    this.#tell({ type: 'blocked', at: this.#now(), url: address, reason });
  }
}
