/** Short events that replace events that are too long, where Playwright or the browser waits for a reaction. */

/** The number of first bytes that are enough to recognise an event. */
export const EVENT_HEAD_BYTES = 512;

/** A page is blocked until its dialog is answered. Chromium shortens the message of a dialog, but not the default text of a prompt. */
const DIALOG_EVENT = /^\{"method":"(Page\.javascriptDialogOpening)"/;
const PLACEHOLDER_PROMPT = {
  url: '',
  message: 'A prompt whose text is too long to be shown',
  type: 'prompt',
  defaultPrompt: '',
};

/** Chromium stores a download even if the event is dropped. Only a URL that contains the file itself (`data:`) is this long. */
const DOWNLOAD_EVENT =
  /^\{"method":"(Browser\.downloadWillBegin)","params":\{"frameId":"(\w+)","guid":"([\w-]+)","url":"data:/;

/**
 * Returns the short event that replaces a dropped one; null if it needs no replacement.
 * @param head the first bytes of the dropped event
 */
export function placeholderEvent(head: string): { readonly method: string; readonly params: object } | null {
  const [, dialog] = DIALOG_EVENT.exec(head) ?? [];
  if (dialog !== undefined) return { method: dialog, params: PLACEHOLDER_PROMPT };
  const [, download, frameId, guid] = DOWNLOAD_EVENT.exec(head) ?? [];
  if (download === undefined) return null;
  return { method: download, params: { frameId, guid, url: 'data:,', suggestedFilename: 'download' } };
}
