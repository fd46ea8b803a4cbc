import type { CDPSession } from 'playwright';
import { isNestedTooDeeply } from '../cdp/playwrightInternals.ts';

/** Returns the id of the main frame. The page itself answers: one that opens dialogs without end becomes no tab until it lets itself be stopped. */
export async function mainFrameIdOf(session: CDPSession): Promise<string> {
  try {
    return (await session.send('Page.getFrameTree')).frameTree.frame.id;
  } catch (error) {
    if (!isNestedTooDeeply(error)) throw error;
    return (await session.send('Target.getTargetInfo')).targetInfo.targetId;
  }
}
