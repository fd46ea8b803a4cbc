/** Notices that a control shows another icon or has another class or tooltip than before, and that an editor's text is formatted otherwise: some states are said only in this way. */

import type { ActionLook } from '../../../domain/space/action.ts';
import {
  childElementCount,
  firstElementChild,
  getAttribute,
  localName,
  queryAllIn,
  textContent,
} from '../dom/domGetters.ts';
import { truncate } from './element/plainText.ts';
import { elementByKey } from './elementKeys.ts';
import { listedCandidate } from './lastObservation.ts';
import { iconWords } from './name/nameHint.ts';
import type { ObservedElement } from './wireFormat.ts';

/** The elements of formatted text. Styles count on every element, because some editors format by them only. */
const FORMATS =
  'b, strong, i, em, u, s, del, ins, mark, code, sub, sup, a, font, h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, [style], [align]';
const TEXT_STYLES =
  /(?:^|;)\s*((?:font(?:-\w+)*|text-(?:align|decoration)(?:-\w+)*|color|background-color|vertical-align|margin-left|padding-left)\s*:[^;]*)/gi;
const MAX_FORMATS = 300;
const MAX_STYLE = 60;
const MAX_NAMED = 3;
const SEPARATOR = '\n';

export interface TextFormatting {
  readonly text: string;
  /** One line for each formatted element: its format, and the length of its text after a tab. */
  readonly formats: string;
}

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

const MAX_CONTROLS = 400;
/** A box with more children than this is no control with an icon. */
const MAX_CHILDREN = 8;
const MAX_ICONS = 3;
const ICONS = 'svg, img, i, span[class], use, path';
/** Maximum length of a part of a look, such as a path. Characters. */
const MAX_PART = 400;
/** Maximum length of the name of an icon in an icon font, as a text of its element. Characters. */
const MAX_LIGATURE = 24;
/** Maximum length of a tooltip or an alternative text in a difference. Characters. */
const MAX_WORDS = 60;
/** Maximum number of looks of one control that have numbers of their own: a control with more is animated. */
const MAX_LOOKS = 8;
/** Matches classes that come with the pointer, the focus and animations, those of the place in a list, and those of frameworks for the history of a field. */
const PASSING_CLASS =
  /hover|focus|press|ripple|drag|grab|anim|transition|enter|leav|wave|loading|(?:odd|even)$|^(?:ng|svelte|css|sc|jsx|jss)-/i;

/** Returns true for a class that says nothing lasting about how an element looks. */
export const isPassingClass = (name: string): boolean => PASSING_CLASS.test(name);

/** The looks that a control has had, as texts of `lookOf`. */
interface History {
  readonly seen: string[];
  /** The attributes of the last observation, as `attributesOf` returns them. */
  raw: string;
  /** The last tooltip of the control. Some tooltips are no attribute while they are shown. */
  title: string;
  changed: ActionLook | undefined;
}

const histories = new WeakMap<Element, History>();

/** Returns the elements with `look` at the controls that have had another look in an earlier observation. */
export function withLooks(elements: readonly ObservedElement[]): readonly ObservedElement[] {
  let left = MAX_CONTROLS;
  let found: ObservedElement[] | null = null;
  for (const [index, one] of elements.entries()) {
    const isEditor = one.control === 'contenteditable';
    if (!isEditor && (one.letter !== 'B' || one.control !== 'click')) continue;
    if (--left < 0) break;
    const element = elementByKey(one.key);
    // What a box shows or is called while the pointer is over it comes and goes with the pointer.
    if (element !== null && listedCandidate(element)?.candidate.basis === 'hover') continue;
    const look = element === null ? undefined : isEditor ? changedFormatting(element) : changedLook(element);
    if (look === undefined) continue;
    found ??= [...elements];
    found[index] = { ...one, look };
  }
  return found ?? elements;
}

/** Returns true if a listed control shows another icon or lasting class than when it was listed last. */
export function showsNewLook(control: Element): boolean {
  const history = histories.get(control);
  if (history === undefined || childElementCount(control) > MAX_CHILDREN) return false;
  const { raw } = history;
  const now = attributesOf(control, titleOf(control) || history.title);
  return raw !== now && lookOf(raw) !== lookOf(now);
}

function changedLook(element: Element): ActionLook | undefined {
  if (childElementCount(element) > MAX_CHILDREN) return undefined;
  const history = histories.get(element);
  const title = titleOf(element) || (history?.title ?? '');
  const raw = attributesOf(element, title);
  if (history === undefined) {
    histories.set(element, { seen: [], raw, title, changed: undefined });
    return undefined;
  }
  history.title = title;
  // Most controls look as they did: nothing more is computed for them.
  if (raw === history.raw) return history.changed;
  const [before, now] = [lookOf(history.raw), lookOf(raw)];
  history.raw = raw;
  if (before === now) return history.changed;
  const { seen } = history;
  if (seen.length === 0) seen.push(before);
  let number = seen.indexOf(now);
  if (number < 0 && seen.length < MAX_LOOKS) number = seen.push(now) - 1;
  history.changed = { number, ...difference(element, before, now) };
  return history.changed;
}

interface FormattingHistory extends TextFormatting {
  readonly changed: ActionLook | undefined;
}

const formattings = new WeakMap<Element, FormattingHistory>();

/** Returns the last change of the formatting of an editor's text. A change of the text itself is told by the value. */
function changedFormatting(editor: Element): ActionLook | undefined {
  const now = textFormatting(editor);
  const before = formattings.get(editor);
  let changed = before?.changed;
  if (before !== undefined && before.text === now.text && before.formats !== now.formats) {
    const number = (changed?.number ?? 0) + 1;
    const added = newFormats(before.formats, now.formats);
    const part = added.length > 0 ? 'formatting' : 'no formatting';
    const formats = added.length > 0 ? added : newFormats(now.formats, before.formats);
    changed = { number, part, words: formats.join(', ') };
  }
  formattings.set(editor, { ...now, changed });
  return changed;
}

function difference(element: Element, before: string, now: string): Omit<ActionLook, 'number'> {
  const [ownBefore = '', ...iconsBefore] = before.split('\n');
  const [own = '', ...icons] = now.split('\n');
  if (iconsBefore.join('\n') !== icons.join('\n')) {
    const index = icons.findIndex(
      (icon, nth) => altOf(icon) !== '' && altOf(icon) !== altOf(iconsBefore[nth]),
    );
    const alt = altOf(icons[index]);
    if (alt === '') return { part: 'icon', words: iconWords(element) };
    const isSameIcon = withoutAlt(icons[index]) === withoutAlt(iconsBefore[index]);
    return { part: isSameIcon ? 'alt' : 'icon', words: truncate(alt, MAX_WORDS) };
  }
  const [classesBefore = '', titleBefore = ''] = ownBefore.split('\t');
  const [classes = '', title = ''] = own.split('\t');
  if (titleBefore !== title) return { part: 'title', words: truncate(title, MAX_WORDS) };
  const namesOf = (text: string): readonly string[] => text.split(' ').filter(name => name !== '');
  const [names, namesBefore] = [namesOf(classes), namesOf(classesBefore)];
  const added = names.filter(name => !namesBefore.includes(name));
  const removed = namesBefore.filter(name => !names.includes(name));
  const [words, lost] = [added, removed].map(some => some.slice(0, MAX_ICONS).join(' '));
  if (added.length === 0) return { part: 'no class', words: lost ?? '' };
  return { part: 'class', words: words ?? '', ...(removed.length > 0 && { lost }) };
}

const altOf = (icon = ''): string => icon.slice(icon.lastIndexOf('\t') + 1);

const withoutAlt = (icon = ''): string => icon.slice(0, icon.lastIndexOf('\t'));

/** Returns a look without the classes that pass. @param raw as `attributesOf` returns it */
const lookOf = (raw: string): string =>
  raw
    .split('\n')
    .map(line => {
      const [classes = '', ...others] = line.split('\t');
      const names = classes.split(' ').filter(name => name !== '' && !isPassingClass(name));
      return [names.join(' '), ...others].join('\t');
    })
    .join('\n');

const titleOf = (element: Element): string => plain(getAttribute(element, 'title'));

/** Returns the classes and the tooltip, and a line for each icon: classes, source or path, turn, name in an icon font, alternative text. */
function attributesOf(element: Element, title: string): string {
  const classes = plain(getAttribute(element, 'class'));
  const own = title === '' ? classes : `${classes}\t${title}`;
  if (firstElementChild(element) === null) return own;
  let text = own;
  let left = MAX_ICONS;
  for (const icon of queryAllIn(element, ICONS)) {
    if (!isIcon(icon)) continue;
    if (--left < 0) break;
    const style = getAttribute(icon, 'style');
    const turn = style === null ? '' : (/(?:display|visibility|rotate)[^;]*/.exec(style)?.[0] ?? '');
    const source = getAttribute(icon, 'd') ?? getAttribute(icon, 'src') ?? getAttribute(icon, 'href') ?? '';
    const ligature = localName(icon) === 'i' ? (textContent(icon) ?? '') : '';
    const alt = getAttribute(icon, 'alt');
    text += `\n${[getAttribute(icon, 'class'), source, turn, ligature, alt].map(plain).join('\t')}`;
  }
  return text;
}

/** Returns false for a text with a class, and for the circles that spread from a press. */
const isIcon = (icon: Element): boolean =>
  !/ripple/i.test(getAttribute(icon, 'class') ?? '') &&
  (localName(icon) !== 'span' || (textContent(icon) ?? '').length <= MAX_LIGATURE);

const plain = (text: string | null): string =>
  text === null ? '' : text.slice(0, MAX_PART).replace(/\s+/g, ' ');
