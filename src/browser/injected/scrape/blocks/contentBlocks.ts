/** Divides a copy of a page into blocks: the runs of text that no block element interrupts. */
import type { ArticleTexts } from '../article/readArticle.ts';

/** The blocks that the article of the page has. */
export interface BlockHints {
  /** The share of each block's text that the article pipeline keeps; null if it finds no article. */
  readonly article: readonly number[] | null;
  /** The share of each block's text that Readability keeps; null if it finds no article. */
  readonly found: readonly number[] | null;
}

/**
 * Returns what an article says of the blocks of a copy.
 * @param texts the texts of the article; null if there is none
 */
export const blockHints = (blocks: readonly ContentBlock[], texts: ArticleTexts | null): BlockHints => ({
  article: texts === null ? null : blocks.map(block => share(block, texts.kept)),
  found: texts === null ? null : blocks.map(block => share(block, texts.found)),
});

function share({ nodes, lengths }: ContentBlock, kept: ReadonlySet<Node>): number {
  let all = 0;
  let inside = 0;
  for (let at = 0; at < nodes.length; at++) {
    const length = lengths[at] ?? 0;
    all += length;
    if (kept.has(nodes[at] as Node)) inside += length;
  }
  return all === 0 ? 0 : inside / all;
}

/** A run of text and inline elements between two borders of block elements. */
export interface ContentBlock {
  /** The block element directly around the run. */
  readonly container: Element;
  /** The text nodes and form controls of the run, in document order. */
  readonly nodes: readonly Node[];
  /** Number of characters of each text node of `nodes`, without the white space around them; 0 for form controls. */
  readonly lengths: readonly number[];
  /** 1 to 6 if the container is a heading, else 0. */
  readonly headingLevel: number;
  /** The text in one line, without surrounding white space; never empty. */
  readonly text: string;
  readonly linkCharacters: number;
  readonly controlCharacters: number;
}

const INLINE_ELEMENTS = new Set(
  'a abbr acronym b bdi bdo big br button cite code data del dfn em font i img ins kbd label mark math nobr picture q rp rt ruby s samp small source span strike strong sub sup svg time tt u var wbr'.split(
    ' ',
  ),
);
const FIELDS = new Set(['input', 'select', 'textarea']);

/** The part of a block that has been read so far. */
interface OpenBlock {
  nodes: Node[];
  lengths: number[];
  texts: string[];
  linkCharacters: number;
  controlCharacters: number;
}

const openBlock = (): OpenBlock => ({
  nodes: [],
  lengths: [],
  texts: [],
  linkCharacters: 0,
  controlCharacters: 0,
});

/** Returns the blocks with text in `root`, in document order. Takes time linear in the size of `root`. */
export function contentBlocks(root: Element): ContentBlock[] {
  const found: ContentBlock[] = [];
  let open = openBlock();
  const close = (container: Element): void => {
    if (open.nodes.length === 0) return;
    const text = open.texts.join('').replace(/\s+/g, ' ').trim();
    if (text !== '')
      found.push({
        container,
        nodes: open.nodes,
        lengths: open.lengths,
        headingLevel: headingLevel(container.localName),
        text,
        linkCharacters: Math.min(open.linkCharacters, text.length),
        controlCharacters: Math.min(open.controlCharacters, text.length),
      });
    open = openBlock();
  };
  const read = (node: Node, data: string, isLink: boolean, isControl: boolean, isField: boolean): void => {
    open.nodes.push(node);
    open.texts.push(data);
    const { length } = data.trim();
    open.lengths.push(isField ? 0 : length);
    if (isLink) open.linkCharacters += length;
    if (isControl) open.controlCharacters += length;
  };
  const visit = (parent: Element, container: Element, isLink: boolean, isControl: boolean): void => {
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      if (node.nodeType === 3) {
        read(node, (node as Text).data, isLink, isControl, false);
        continue;
      }
      if (node.nodeType !== 1) continue;
      const element = node as Element;
      const name = element.localName;
      if (FIELDS.has(name)) {
        close(container);
        const text = fieldText(element);
        if (text !== '') read(element, text, isLink, true, true);
        close(container);
      } else if (INLINE_ELEMENTS.has(name)) {
        if (name === 'br') open.texts.push(' ');
        visit(element, container, isLink || name === 'a', isControl || name === 'button' || name === 'label');
      } else {
        close(container);
        visit(element, element, isLink, isControl);
        close(element);
      }
    }
  };
  visit(root, root, false, false);
  close(root);
  return found;
}

const headingLevel = (name: string): number => (/^h[1-6]$/.test(name) ? Number(name[1]) : 0);

/** Returns the text that the content shows for a form control. */
function fieldText(field: Element): string {
  const type = field.getAttribute('type')?.toLowerCase() ?? '';
  if (/^(hidden|checkbox|radio|image)$/.test(type)) return '';
  if (field.localName === 'select')
    return (field.querySelector('option[selected]') ?? field.querySelector('option'))?.textContent ?? '';
  return field.getAttribute('value') || field.textContent || field.getAttribute('placeholder') || '';
}
