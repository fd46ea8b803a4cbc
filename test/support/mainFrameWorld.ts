/** `IsolatedWorld`s for tests, over plain CDP sessions. */
import type { CDPSession, Frame, Page } from 'playwright';
import { CdpChannel } from '../../src/browser/cdp/cdpChannel.ts';
import { FrameWorlds, IsolatedWorld } from '../../src/browser/cdp/isolatedWorld.ts';
import type { Deadline } from '../../src/domain/ports/clock.ts';

interface FrameNode {
  readonly frame: { readonly id: string; readonly url: string };
  readonly childFrames?: readonly FrameNode[];
}

/** The isolated world of the main frame of a page. @param session a session of the page that the caller detaches. Default: a new one */
export async function mainFrameWorld(page: Page, session?: CDPSession): Promise<IsolatedWorld> {
  return frameWorld(page, page.mainFrame(), session);
}

/** The world of a frame that has a CDP session of its own: a main frame, or a frame of another process. */
async function frameWorld(page: Page, frame: Frame, own?: CDPSession): Promise<IsolatedWorld> {
  const session = own ?? (await page.context().newCDPSession(frame === page.mainFrame() ? page : frame));
  const { frameTree } = await session.send('Page.getFrameTree');
  return createWorld(page, frame, session, frameTree);
}

async function createWorld(
  page: Page,
  frame: Frame,
  session: CDPSession,
  node: FrameNode,
): Promise<IsolatedWorld> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: node.frame.id,
    worldName: 'pagespace-test',
    grantUniveralAccess: true,
  });
  const context = {
    contextId: executionContextId,
    uniqueId: '',
    frameId: node.frame.id,
    installed: new Set<never>(),
  };
  const children = async () => {
    const { frameTree } = await session.send('Page.getFrameTree');
    const here = find(frameTree, node.frame.id)?.childFrames ?? [];
    const same = here.map(child => createWorld(page, frame, session, child));
    const foreign = frame.childFrames().map(child => frameWorld(page, child).catch(() => null));
    return (await Promise.all([...same, ...foreign])).filter(world => world !== null);
  };
  const target = { channel: new CdpChannel(session), worlds: new FrameWorlds(session) };
  return new IsolatedWorld(target, context, node.frame.url, ENDLESS, children);
}

const ENDLESS: Deadline = {
  signal: new AbortController().signal,
  remainingMs: () => Number.POSITIVE_INFINITY,
};

function find(node: FrameNode, id: string): FrameNode | null {
  if (node.frame.id === id) return node;
  for (const child of node.childFrames ?? []) {
    const found = find(child, id);
    if (found !== null) return found;
  }
  return null;
}
