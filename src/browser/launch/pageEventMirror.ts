/**
 * Copies Playwright's page events to the service's own CDP session of the same page.
 *
 * The service must not enable the domain `Page` in a second session: when two sessions of a page have it enabled, and the
 * page closes while one of its frames has an open dialog, Chromium's main process crashes, with all sessions of the browser.
 */

/** The page events that the service uses. */
const MIRRORED_EVENTS: ReadonlySet<string> = new Set([
  'Page.domContentEventFired',
  'Page.fileChooserOpened',
  'Page.frameClearedScheduledNavigation',
  'Page.frameNavigated',
  'Page.frameRequestedNavigation',
  'Page.frameScheduledNavigation',
  'Page.frameStoppedLoading',
  'Page.loadEventFired',
  'Page.navigatedWithinDocument',
  'Page.windowOpen',
]);

/** The CDP sessions of one page, the one of Playwright first. */
type Sessions = Set<string>;

/** Knows which CDP sessions belong to the same page. */
export class PageEventMirror {
  readonly #sessionsByTarget = new Map<string, Sessions>();
  readonly #sessions = new Map<string, Sessions>();

  /** Records a new CDP session. @param target Chromium's id and type of the target of the session */
  attached(session: string, target: { readonly targetId: string; readonly type: string }): void {
    if (target.type !== 'page') return;
    const sessions = this.#sessionsByTarget.get(target.targetId) ?? new Set();
    this.#sessionsByTarget.set(target.targetId, sessions.add(session));
    this.#sessions.set(session, sessions);
  }

  detached(session: string): void {
    const sessions = this.#sessions.get(session);
    if (sessions === undefined) return;
    this.#sessions.delete(session);
    sessions.delete(session);
    if (sessions.size > 0) return;
    for (const [target, known] of this.#sessionsByTarget)
      if (known === sessions) this.#sessionsByTarget.delete(target);
  }

  /** Returns true for a session of a page that the service has opened beside that of Playwright. */
  isOwn(session: string): boolean {
    const [first] = this.#sessions.get(session) ?? [];
    return first !== undefined && first !== session;
  }

  /** Returns the sessions that must receive a copy of an event of `session`. */
  receivers(method: string, session: string): readonly string[] {
    if (!MIRRORED_EVENTS.has(method)) return [];
    const [first, ...others] = this.#sessions.get(session) ?? [];
    return first === session ? others : [];
  }
}
