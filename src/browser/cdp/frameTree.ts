/** Reads the frames of a CDP target. */
import type { Deadline } from '../../domain/ports/deadline.ts';
import type { CdpChannel } from './cdpChannel.ts';
import { isNestedTooDeeply } from './playwrightInternals.ts';

/** A frame and the frames inside it. */
export interface FrameTree {
  readonly frame: { readonly id: string; readonly parentId?: string; readonly url: string };
  readonly childFrames?: readonly FrameTree[];
}

/**
 * Returns the frames of a CDP target as a tree. Null if they are nested so deeply (about 150 frames) that Chromium cannot write them
 * as JSON: no page that people read does so.
 * @throws Failure of the deadline; Playwright's error when the target is gone
 */
export async function frameTree(channel: CdpChannel, deadline: Deadline): Promise<FrameTree | null> {
  try {
    return (await channel.send('Page.getFrameTree', undefined, deadline)).frameTree;
  } catch (error) {
    if (isNestedTooDeeply(error)) return null;
    throw error;
  }
}
