/** Notices that a control shows another icon or has another class than before, and that an editor's text is formatted otherwise: some states are said only in this way. */
import type { ActionLook } from '../../../domain/space/action.ts';
import {
  childElementCount,
  firstElementChild,
  getAttribute,
  localName,
  queryAllIn,
  textContent,
} from '../dom/domGetters.ts';
import { elementByKey } from './elementKeys.ts';
import { iconWords } from './name/nameHint.ts';
import { newFormats, type TextFormatting, textFormatting } from './textFormatting.ts';
import type { ObservedElement } from './wireFormat.ts';

/** Maximum number of controls of a page whose looks are compared. */
const MAX_CONTROLS = 400;
/** A box with more children than this is no control with an icon. */
const MAX_CHILDREN = 8;
/** Maximum number of icons of one control. */
const MAX_ICONS = 3;
const ICONS = 'svg, img, i, span[class], use, path';
/** Maximum length of a part of a look, such as a path. Characters. */
const MAX_PART = 400;
/** Maximum length of the name of an icon in an icon font, as a text of its element. Characters. */
const MAX_LIGATURE = 24;
/** Maximum number of looks of one control that have numbers of their own: a control with more is animated. */
const MAX_LOOKS = 8;
/** Matches classes that come with the pointer, the focus and animations, those of the place in a list, and those of frameworks for the history of a field. */
const PASSING_CLASS =
  /hover|focus|press|ripple|drag|grab|anim|transition|enter|leav|wave|loading|(?:odd|even)$|^(?:ng|v|svelte|css|sc|jsx|jss)-/i;

/** The looks that a control has had, as texts of `lookOf`. */
interface History {
  readonly seen: string[];
  /** The attributes of the last observation, as `attributesOf` returns them. */
  raw: string;
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
    const look = element === null ? undefined : isEditor ? changedFormatting(element) : changedLook(element);
    if (look === undefined) continue;
    found ??= [...elements];
    found[index] = { ...one, look };
  }
  return found ?? elements;
}

/** Returns true if a listed control shows another icon or lasting class than when it was listed last. */
export function showsNewLook(control: Element): boolean {
  const raw = histories.get(control)?.raw;
  if (raw === undefined || childElementCount(control) > MAX_CHILDREN) return false;
  const now = attributesOf(control);
  return raw !== now && lookOf(raw) !== lookOf(now);
}

function changedLook(element: Element): ActionLook | undefined {
  if (childElementCount(element) > MAX_CHILDREN) return undefined;
  const raw = attributesOf(element);
  const history = histories.get(element);
  if (history === undefined) {
    histories.set(element, { seen: [], raw, changed: undefined });
    return undefined;
  }
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
  const [classesBefore = '', iconBefore] = splitLook(before);
  const [classes = '', icon] = splitLook(now);
  if (iconBefore !== icon) return { part: 'icon', words: iconWords(element) };
  const [names, namesBefore] = [classes.split(' '), classesBefore.split(' ')];
  const added = names.filter(name => !namesBefore.includes(name));
  const words = added.length > 0 ? added : namesBefore.filter(name => !names.includes(name));
  return { part: added.length > 0 ? 'class' : 'no class', words: words.slice(0, MAX_ICONS).join(' ') };
}

/** Returns the classes and the icons of a look. */
const splitLook = (look: string): readonly string[] => {
  const end = look.indexOf('\n');
  return end < 0 ? [look, ''] : [look.slice(0, end), look.slice(end + 1)];
};

/** Returns a look without the classes that pass. @param raw as `attributesOf` returns it */
const lookOf = (raw: string): string =>
  raw
    .split('\n')
    .map(line => {
      const [classes = '', ...others] = line.split('\t');
      const names = classes.split(' ').filter(name => name !== '' && !PASSING_CLASS.test(name));
      return [names.join(' '), ...others].join('\t');
    })
    .join('\n');

/** Returns the classes of an element, and a line for each icon in it: its classes, and its source, path, turn, or name in an icon font. */
function attributesOf(element: Element): string {
  const own = plain(getAttribute(element, 'class'));
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
    text += `\n${plain(getAttribute(icon, 'class'))}\t${plain(source)}\t${plain(turn)}\t${plain(ligature)}`;
  }
  return text;
}

/** Returns false for a text with a class, and for the circles that spread from a press. */
const isIcon = (icon: Element): boolean =>
  !/ripple/i.test(getAttribute(icon, 'class') ?? '') &&
  (localName(icon) !== 'span' || (textContent(icon) ?? '').length <= MAX_LIGATURE);

/** Returns a short text on one line. */
const plain = (text: string | null): string =>
  text === null ? '' : text.slice(0, MAX_PART).replace(/\s+/g, ' ');
