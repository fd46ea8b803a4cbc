import type { Nodes, Parents } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Returns the structure that a parser of CommonMark and GFM finds in a Markdown text, as short HTML without white space between blocks. */
export function markdownShape(markdown: string): string {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return inner(tree);
}

const inner = (parent: Parents): string => parent.children.map(shape).join('');
const tag = (name: string, content: string): string => `<${name}>${content}</${name.split(' ')[0]}>`;

function shape(node: Nodes): string {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'heading':
      return tag(`h${node.depth}`, inner(node));
    case 'paragraph':
      return tag('p', inner(node));
    case 'list':
      return tag(node.ordered ? `ol ${node.start}` : 'ul', inner(node));
    case 'listItem':
      return tag(node.checked == null ? 'li' : `li ${node.checked ? 'x' : 'o'}`, tightItem(inner(node)));
    case 'blockquote':
      return tag('quote', inner(node));
    case 'code':
      return tag(node.lang == null ? 'pre' : `pre ${node.lang}`, node.value);
    case 'inlineCode':
      return tag('code', node.value);
    case 'strong':
    case 'emphasis':
    case 'delete':
      return tag({ strong: 'b', emphasis: 'i', delete: 's' }[node.type], inner(node));
    case 'link':
      return tag(`a ${node.url}`, inner(node));
    case 'image':
      return `<img ${node.url} ${node.alt}>`;
    case 'break':
      return '<br>';
    case 'thematicBreak':
      return '<hr>';
    case 'html':
      return node.value;
    case 'table':
      return tag('table', inner(node));
    case 'tableRow':
      return tag('tr', inner(node));
    case 'tableCell':
      return tag('td', inner(node));
    default:
      throw new Error(`The structure has an unexpected ${node.type}.`);
  }
}

/** An item's first paragraph needs no element. */
const tightItem = (content: string): string => content.replace(/^<p>(.*?)<\/p>/s, '$1');
