import { isDocumentGone } from '../../cdp/playwrightInternals.ts';
import type { ElementContext } from '../element/elementContext.ts';

/** The parts of an `ElementContext` that this file uses. */
export interface PresentElement extends Pick<ElementContext, 'listed'> {
  readonly world: Pick<ElementContext['world'], 'callAgent'>;
}

/** Returns true if the element is no longer in its document, or the document is gone: Playwright would wait for it in vain. */
export async function isGone({ world, listed }: PresentElement): Promise<boolean> {
  try {
    return !(await world.callAgent('isPresent', listed.key));
  } catch (error) {
    if (isDocumentGone(error)) return true;
    throw error;
  }
}
