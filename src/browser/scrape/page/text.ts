/** Plain text of clean markup: blocks and line breaks are new lines, inline elements add nothing. */
const BLOCKS = new Set(
  'address article aside blockquote body canvas caption dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol option p pre section summary table tbody tfoot thead tr ul video audio'.split(
    ' ',
  ),
);

/** @returns lines without surrounding space; at most one empty line between two */
export function textOf(root: Element): string {
  const parts: string[] = [];
  const stack: { node: Node; leaving: boolean; pre: boolean }[] = [
    { node: root, leaving: false, pre: false },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node, pre } = top;
    if (node.nodeType === 3) {
      const { data } = node as Text;
      parts.push(pre ? data : data.replace(/\s+/g, ' '));
    }
    if (node.nodeType !== 1) continue;
    const name = (node as Element).localName;
    if (BLOCKS.has(name)) parts.push('\n');
    else if (name === 'br') parts.push('\n');
    else if (top.leaving && (name === 'td' || name === 'th')) parts.push('\t');
    if (top.leaving) continue;
    stack.push({ node, leaving: true, pre });
    for (let child = node.lastChild; child !== null; child = child.previousSibling)
      stack.push({ node: child, leaving: false, pre: pre || name === 'pre' });
  }
  return tidy(parts.join(''));
}

const tidy = (text: string): string =>
  text
    .replace(/[ \u00a0]*\t[ \u00a0]*/g, '\t')
    .replace(/[ \t\u00a0]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
