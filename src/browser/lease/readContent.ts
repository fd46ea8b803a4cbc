/** The content of a tab, whose page may have a JavaScript dialog open or open one meanwhile. */
import type { ScrapedData } from '../../domain/content/scrapedData.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';
import { endlessDialogsFailure } from '../tab/tabDialogs.ts';

/**
 * Reads the content of a tab for an operation that is there for it: dismisses the open dialog, and those that follow.
 * @param read reads the tab
 * @throws Failure ACTION_BLOCKED when the page opens dialogs without end
 */
export async function readDismissingDialogs(
  tab: Tab,
  read: () => Promise<ScrapedData>,
): Promise<ScrapedData> {
  tab.dialogs.begin('dismiss');
  try {
    await tab.dialogs.clear();
    return await tab.scripts.whileReading(read);
  } catch (error) {
    throw error instanceof Interrupted && tab.dialog !== null ? endlessDialogsFailure() : error;
  } finally {
    tab.dialogs.begin('keep');
  }
}

/** Reads the content of a tab beside something else: null while a dialog is open, which stays open for the caller. */
export async function readWithoutDialog(
  tab: Tab,
  read: () => Promise<ScrapedData>,
): Promise<ScrapedData | null> {
  if (tab.dialog !== null) return null;
  try {
    return await tab.scripts.whileReading(read);
  } catch (error) {
    if (error instanceof Interrupted && tab.dialog !== null) return null;
    throw error;
  }
}
