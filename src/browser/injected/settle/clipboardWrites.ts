/**
 * Lets pages write to the session's clipboard with `navigator.clipboard` while a step runs. Chromium denies that to pages of the service,
 * because its own clipboard belongs to all of them; a copy event is what the service takes copied content from.
 */
import { prototypeOf, standIn } from './standIns.ts';

/** Replaces the functions that write to the clipboard. A document that is not secure has none. */
export function clipboardWrites(isRunning: () => boolean): void {
  const writing = (name: string, contentOf: (given: unknown) => Promise<Content>) =>
    standIn(prototypeOf('Clipboard'), name, {
      async apply(original, self, args: unknown[]) {
        if (!isRunning() || !copy(await contentOf(args[0]))) return Reflect.apply(original, self, args);
      },
    });
  writing('writeText', async text => [['text/plain', String(text)]]);
  writing('write', async items => Promise.all([...(items as ClipboardItem[])].flatMap(textsOf)));
}

type Content = readonly (readonly [string, string])[];

const textsOf = (item: ClipboardItem): Promise<readonly [string, string]>[] =>
  item.types
    .filter(type => type === 'text/plain' || type === 'text/html')
    .map(async type => [type, await (await item.getType(type)).text()] as const);

/** Copies a content as the user would. @returns false if Chromium does not allow it now, or there is no text */
function copy(content: Content): boolean {
  if (content.length === 0) return false;
  let hasCopied = false;
  // After the page's own listeners, which copy what is selected.
  const onCopy = (event: ClipboardEvent): void => {
    event.clipboardData?.clearData();
    for (const [type, text] of content) event.clipboardData?.setData(type, text);
    event.preventDefault();
    hasCopied = true;
  };
  window.addEventListener('copy', onCopy);
  try {
    return document.execCommand('copy') && hasCopied;
  } finally {
    window.removeEventListener('copy', onCopy);
  }
}
