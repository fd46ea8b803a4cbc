/** What is told in the place of an event that is too long to be read, where Playwright or the browser waits for what comes of it. */

/** Beginnings of events that are enough to tell them by. Bytes. */
export const HEAD_OF_EVENT = 512;

/** A page stands still behind its dialog until somebody answers it. Chromium cuts what a dialog asks, not what a prompt proposes. */
const DIALOG = /^\{"method":"(Page\.javascriptDialogOpening)"/;
const PROMPT = {
  url: '',
  message: 'A prompt whose text is too long to be told',
  type: 'prompt',
  defaultPrompt: '',
};

/** A download lies on the disk, told or not. Only the address that holds the file itself (`data:`) can be so long. */
const DOWNLOAD =
  /^\{"method":"(Browser\.downloadWillBegin)","params":\{"frameId":"(\w+)","guid":"([\w-]+)","url":"data:/;

/** @param head the first bytes of the event @returns null where nobody waits */
export function standIn(head: string): { readonly method: string; readonly params: object } | null {
  const [, dialog] = DIALOG.exec(head) ?? [];
  if (dialog !== undefined) return { method: dialog, params: PROMPT };
  const [, download, frameId, guid] = DOWNLOAD.exec(head) ?? [];
  if (download === undefined) return null;
  return { method: download, params: { frameId, guid, url: 'data:,', suggestedFilename: 'download' } };
}
