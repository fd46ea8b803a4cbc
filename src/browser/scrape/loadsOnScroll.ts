/** Tells whether a page whose text ends with a list loads more of it when it scrolls, by what listens for that. */
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import { isTargetGone } from '../cdp/playwrightInternals.ts';
import { callScraper } from './callScraper.ts';

/** A function that compares how far the page has scrolled with how long it is. */
const MEASURES_END =
  /scrollHeight|scrollMaxY|offsetHeight|clientHeight|innerHeight|getBoundingClientRect|\.height\(/;
/** A function that calls another, such as one that limits how often that is called: what it does is not known. */
const CALLS_ANOTHER = /\barguments\b|\.apply\(|\.call\(|\.\.\.\w+\)/;

const GROUP = 'pagespace-scroll';

/** Returns true if a script waits for the end of the list with which the page, or the longest part of it that scrolls, ends. */
export async function loadsOnScroll(world: IsolatedWorld): Promise<boolean> {
  const { channel, deadline, context, worlds } = world;
  const end = await callScraper(world, 'listAtEnd');
  const page = worlds.mainWorldContext(context.frameId);
  if (end === null || page === null) return false;
  try {
    // A page cannot override `window` and `document`. Chromium tells the functions only of objects in a group.
    const objectOf = async (expression: string): Promise<string> => {
      const params = { expression, contextId: page.contextId, objectGroup: GROUP };
      return (await channel.send('Runtime.evaluate', params, deadline)).result.objectId ?? '';
    };
    const [window, document, box] = await Promise.all([
      objectOf('window'),
      objectOf('document'),
      world.evaluateHandle('globalThis.__pagespaceScrape.scrolledBox()'),
    ]);
    if (box === null) return false;
    const [{ node }, { node: root }, ofWindow, ofDocument] = await Promise.all([
      channel.send('DOM.describeNode', { objectId: box }, deadline),
      channel.send('DOM.describeNode', { objectId: document }, deadline),
      channel.send('DOMDebugger.getEventListeners', { objectId: window }, deadline),
      channel.send('DOMDebugger.getEventListeners', { objectId: document, depth: -1 }, deadline),
    ]);
    const owners = [node.backendNodeId, ...(end.isPage ? [root.backendNodeId] : [])];
    const listeners = [
      ...(end.isPage ? ofWindow.listeners : []),
      ...ofDocument.listeners.filter(({ backendNodeId = -1 }) => owners.includes(backendNodeId)),
    ];
    return listeners.some(({ type, handler }) => {
      const source = handler?.description ?? '';
      return type === 'scroll' && (MEASURES_END.test(source) || (end.isLast && CALLS_ANOTHER.test(source)));
    });
  } catch (error) {
    if (deadline.signal.aborted || isTargetGone(error)) throw error;
    // The document was replaced.
    return false;
  } finally {
    channel.sendNoReply('Runtime.releaseObjectGroup', { objectGroup: GROUP });
  }
}
