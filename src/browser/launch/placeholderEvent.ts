/** What is told in the place of an event that is too long to be read, where Playwright or the browser waits for what comes of it. */

/** Beginnings of events that are enough to tell them by. Bytes. */
export const EVENT_HEAD_BYTES = 512;

/** A page stands still behind its dialog until somebody answers it. Chromium cuts what a dialog asks, not what a prompt proposes. */
const DIALOG_EVENT = /^\{"method":"(Page\.javascriptDialogOpening)"/;
const PLACEHOLDER_PROMPT = {
  url: '',
  message: 'A prompt whose text is too long to be told',
  type: 'prompt',
  defaultPrompt: '',
};

/** A download lies on the disk, told or not. Only the address that holds the file itself (`data:`) can be so long. */
const DOWNLOAD_EVENT =
  /^\{"method":"(Browser\.downloadWillBegin)","params":\{"frameId":"(\w+)","guid":"([\w-]+)","url":"data:/;

/** @param head the first bytes of the event @returns null where nobody waits */
export function placeholderEvent(head: string): { readonly method: string; readonly params: object } | null {
  const [, dialog] = DIALOG_EVENT.exec(head) ?? [];
  if (dialog !== undefined) return { method: dialog, params: PLACEHOLDER_PROMPT };
  const [, download, frameId, guid] = DOWNLOAD_EVENT.exec(head) ?? [];
  if (download === undefined) return null;
  return { method: download, params: { frameId, guid, url: 'data:,', suggestedFilename: 'download' } };
}
