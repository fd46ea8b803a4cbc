/**
 * Replaces browser events that were dropped because they were too long. Only dialogs and downloads need it: Playwright or
 * the browser waits for a reaction to them.
 */

/** Number of first bytes of an event that `placeholderEvent` needs. */
export const EVENT_HEAD_BYTES = 512;

/**
 * Matches the event of a dialog, which blocks its page until it is answered. Chromium shortens the message of a dialog,
 * but not the default text of a prompt.
 */
const DIALOG_EVENT = /^\{"method":"(Page\.javascriptDialogOpening)"/;
const PLACEHOLDER_PROMPT = {
  url: '',
  message: 'A prompt whose text is too long to be shown',
  type: 'prompt',
  defaultPrompt: '',
};

/**
 * Matches the event of a download, which Chromium stores even if the event is dropped. Only a URL that contains the file
 * itself (`data:`) makes the event too long.
 */
const DOWNLOAD_EVENT =
  /^\{"method":"(Browser\.downloadWillBegin)","params":\{"frameId":"(\w+)","guid":"([\w-]+)","url":"data:/;

/**
 * Returns the short event that replaces a dropped event; null if the dropped event needs no replacement.
 * @param head the first bytes of the dropped event
 */
export function placeholderEvent(head: string): { readonly method: string; readonly params: object } | null {
  const [, dialog] = DIALOG_EVENT.exec(head) ?? [];
  if (dialog !== undefined) return { method: dialog, params: PLACEHOLDER_PROMPT };
  const [, download, frameId, guid] = DOWNLOAD_EVENT.exec(head) ?? [];
  if (download === undefined) return null;
  return { method: download, params: { frameId, guid, url: 'data:,', suggestedFilename: 'download' } };
}
