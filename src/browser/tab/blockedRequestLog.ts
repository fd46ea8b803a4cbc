/** What Chromium itself refuses to a session's pages: no request comes of it, so that the egress proxy never hears of it. */

import { stripCredentials } from '../../domain/redactUrl.ts';
import type { SessionEvent } from '../../domain/sessionEvent.ts';
import { refusedUrlOf } from '../cdp/playwrightInternals.ts';
import { documentRefusal } from '../egress/checkAddress.ts';
import type { Tab } from './tab.ts';

/** A hostile page can try any number. */
const MAX_BLOCKED_EVENTS = 256;
const MAX_URL_LENGTH = 2_000;

export class BlockedRequestLog {
  readonly #reportedUrls = new Set<string>();
  readonly #onEvent: (event: SessionEvent) => void;
  readonly #now: () => number;

  constructor(onEvent: (event: SessionEvent) => void, now: () => number) {
    this.#onEvent = onEvent;
    this.#now = now;
  }

  /** Listens to one tab; `Log.enable` and `Page.enable` are the tab's. */
  watch({ target, mainFrameId }: Tab): void {
    const { session } = target.channel;
    session.on('Log.entryAdded', ({ entry }) => {
      const url = refusedUrlOf(entry.text);
      if (url !== null) this.#report(url);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId, url }) => {
      if (frameId === mainFrameId) this.#report(url);
    });
    session.on('Page.windowOpen', ({ url }) => {
      // A script of the page's own, with no more rights than the page.
      if (!/^javascript:/i.test(url)) this.#report(url);
    });
  }

  /** Tells of an address once, if it is none of the web's. */
  #report(url: string): void {
    const reason = documentRefusal(url);
    // A form adds its query.
    const address = stripCredentials(url).slice(0, MAX_URL_LENGTH).replace(/\?$/, '');
    if (reason === null || this.#reportedUrls.has(address) || this.#reportedUrls.size >= MAX_BLOCKED_EVENTS)
      return;
    this.#reportedUrls.add(address);
    this.#onEvent({ type: 'blocked', at: this.#now(), url: address, reason });
  }
}
