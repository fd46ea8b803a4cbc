/** Loads mdream, which converts HTML to Markdown: its native form, or its WebAssembly where npm installed no native form. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Options of mdream: the steps that clean the Markdown. */
export interface MdreamOptions {
  readonly clean: Readonly<Record<string, boolean>>;
}

export type HtmlToMarkdown = (html: string, options: MdreamOptions) => string;

/** mdream's converter. npm leaves out the native form when it runs on Node 20, which is older than that form allows. */
export const htmlToMarkdown: HtmlToMarkdown = await import('mdream').then(
  mdream => mdream.htmlToMarkdown,
  loadWebAssembly,
);

/** Loads mdream's WebAssembly: the same code, without the native speed. */
export async function loadWebAssembly(): Promise<HtmlToMarkdown> {
  const { htmlToMarkdown: convert, initSync } = await import('mdream/wasm');
  const path = createRequire(import.meta.url).resolve('mdream/wasm/mdream_edge_bg.wasm');
  initSync({ module: readFileSync(path) });
  return (html, options) => convert(html, options);
}
