/** Reports the URLs that Chromium itself refuses to open for a page. They cause no request, so the egress proxy does not see them. */

import { redactUrl } from '../../domain/redactUrl.ts';
import type { SessionEvent } from '../../domain/session/sessionEvent.ts';
import { refusedUrlOf } from '../cdp/playwrightInternals.ts';
import { documentRefusal } from '../egress/checkAddress.ts';
import type { Tab } from './tab.ts';

/** Maximum number of `blocked` events of a session for URLs that Chromium refuses. */
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

  /** Starts to report the URLs that Chromium refuses in a tab. The CDP session of the tab must have `Log` and `Page` enabled. */
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
      // A `javascript:` URL only runs a script of the page.
      if (!/^javascript:/i.test(url)) this.#report(url);
    });
  }

  /** Reports a URL as a `blocked` event if pages may not open it; only once per session. */
  #report(url: string): void {
    const reason = documentRefusal(url);
    // Remove the `?` that a form appends.
    const address = redactUrl(url, MAX_URL_LENGTH).replace(/\?$/, '');
    if (reason === null || this.#reportedUrls.has(address) || this.#reportedUrls.size >= MAX_BLOCKED_EVENTS)
      return;
    this.#reportedUrls.add(address);
    this.#onEvent({ type: 'blocked', at: this.#now(), url: address, reason });
  }
}
