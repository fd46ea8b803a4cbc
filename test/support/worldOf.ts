/** A `World` for tests: isolated worlds over plain CDP sessions, made when they are first asked for. */
import type { CDPSession, Frame, Page } from 'playwright';
import type { World } from '../../src/browser/world.ts';
import type { Json } from '../../src/domain/page.ts';

interface FrameNode {
  readonly frame: { readonly id: string; readonly url: string };
  readonly childFrames?: readonly FrameNode[];
}

/** The world of a page's main frame. */
export async function worldOf(page: Page): Promise<World> {
  return ownWorld(page, page.mainFrame());
}

/** The world of a frame with a CDP session of its own: a page, or a frame of another process. */
async function ownWorld(page: Page, frame: Frame): Promise<World> {
  const session = await page.context().newCDPSession(frame === page.mainFrame() ? page : frame);
  const { frameTree } = await session.send('Page.getFrameTree');
  return worldIn(page, frame, session, frameTree);
}

async function worldIn(page: Page, frame: Frame, session: CDPSession, node: FrameNode): Promise<World> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: node.frame.id,
    worldName: 'pagespace-test',
    grantUniveralAccess: true,
  });
  const call = async (functionDeclaration: string, ...args: Json[]) => {
    const answer = await session.send('Runtime.callFunctionOn', {
      functionDeclaration,
      executionContextId,
      arguments: args.map(value => ({ value })),
      returnByValue: true,
      awaitPromise: true,
    });
    const failed = answer.exceptionDetails;
    if (failed !== undefined) throw new Error(failed.exception?.description ?? failed.text);
    return answer.result.value;
  };
  const installed = new Set<string>();
  return {
    url: node.frame.url,
    call,
    evaluate: expression => call(`() => (${expression})`),
    install: async (name, script) => {
      if (installed.has(name)) return;
      installed.add(name);
      await session.send('Runtime.evaluate', { expression: script, contextId: executionContextId });
    },
    children: async () => {
      const { frameTree } = await session.send('Page.getFrameTree');
      const here = find(frameTree, node.frame.id)?.childFrames ?? [];
      const same = here.map(child => worldIn(page, frame, session, child));
      const foreign = frame.childFrames().map(child => ownWorld(page, child).catch(() => null));
      return (await Promise.all([...same, ...foreign])).filter(world => world !== null);
    },
  };
}

function find(node: FrameNode, id: string): FrameNode | null {
  if (node.frame.id === id) return node;
  for (const child of node.childFrames ?? []) {
    const found = find(child, id);
    if (found !== null) return found;
  }
  return null;
}
