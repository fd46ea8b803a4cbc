/** Reads how the text in an editor is formatted: a step that makes a word bold changes neither the text nor the value. */
import { getAttribute, localName, queryAllIn, textContent } from '../dom/domGetters.ts';

/** The elements of formatted text. Styles count on every element, because some editors format by them only. */
const FORMATS =
  'b, strong, i, em, u, s, del, ins, mark, code, sub, sup, a, font, h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, [style], [align]';
/** Of the styles of an element these format its text. */
const TEXT_STYLES =
  /(?:^|;)\s*((?:font(?:-\w+)*|text-(?:align|decoration)(?:-\w+)*|color|background-color|vertical-align|margin-left|padding-left)\s*:[^;]*)/gi;
/** Maximum number of formatted elements of an editor that are read. */
const MAX_FORMATS = 300;
/** Maximum length of a style. Characters. */
const MAX_STYLE = 60;
/** Maximum number of formats that a change names. */
const MAX_NAMED = 3;
const SEPARATOR = '\n';

/** The formatting of an editor at one moment. */
export interface TextFormatting {
  readonly text: string;
  /** One line for each formatted element: its format, and the length of its text after a tab. */
  readonly formats: string;
}

/** Returns how the text in an editable element is formatted. */
export function textFormatting(editor: Element): TextFormatting {
  const lines: string[] = [];
  for (const element of queryAllIn(editor, FORMATS)) {
    if (lines.length >= MAX_FORMATS) break;
    const text = textContent(element) ?? '';
    const format = text === '' ? '' : formatOf(element);
    if (format !== '') lines.push(`${format}\t${text.length}`);
  }
  return { text: textContent(editor) ?? '', formats: lines.join(SEPARATOR) };
}

/** Returns the formats that `now` has and `before` has not, each once. */
export const newFormats = (before: string, now: string): readonly string[] => {
  const left = before.split(SEPARATOR);
  const added = now.split(SEPARATOR).filter(line => {
    const index = left.indexOf(line);
    if (index >= 0) left.splice(index, 1);
    return index < 0 && line !== '';
  });
  return [...new Set(added.map(line => line.slice(0, line.lastIndexOf('\t'))))].slice(0, MAX_NAMED);
};

function formatOf(element: Element): string {
  const name = localName(element);
  const styles = Array.from((getAttribute(element, 'style') ?? '').matchAll(TEXT_STYLES), ([, style = '']) =>
    style.replace(/\s+/g, ' ').slice(0, MAX_STYLE),
  );
  const align = getAttribute(element, 'align');
  if (align !== null) styles.push(`align ${align.slice(0, MAX_STYLE)}`);
  const isPlain = /^(?:div|p|span|li|td|th|br|img|figure|section)$/.test(name);
  return [isPlain ? '' : name, ...styles].filter(part => part !== '').join(' ');
}
