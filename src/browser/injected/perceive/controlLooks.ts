/** Notices that a control shows another icon or has another class than before: some controls say their state only in this way. */
import type { ActionLook } from '../../../domain/space/action.ts';
import {
  childElementCount,
  firstElementChild,
  getAttribute,
  localName,
  queryAllIn,
  textContent,
} from '../dom/domGetters.ts';
import { normalizeText } from './element/plainText.ts';
import { elementByKey } from './elementKeys.ts';
import { iconWords } from './name/nameHint.ts';
import type { ObservedElement } from './wireFormat.ts';

/** Maximum number of controls of a page whose looks are compared. */
const MAX_CONTROLS = 400;
/** A box with more children than this is no control with an icon. */
const MAX_CHILDREN = 8;
/** Maximum number of icons of one control. */
const MAX_ICONS = 3;
/** Maximum length of a part of a look, such as a path. Characters. */
const MAX_PART = 120;
/** Maximum number of looks of one control that are told apart: those of an animation are not told. */
const MAX_LOOKS = 8;
/** Matches classes that come with the pointer, the focus and animations, and those of frameworks for the history of a field. */
const PASSING_CLASS =
  /hover|focus|press|ripple|drag|grab|anim|transition|enter|leav|wave|loading|^(?:ng|v|svelte|css|sc|jsx|jss)-/i;

interface Look {
  readonly icon: string;
  readonly classes: readonly string[];
}

/** The looks that a control has had, as texts, and the last one. */
interface History {
  readonly seen: string[];
  last: Look;
  changed: ActionLook | undefined;
}

const histories = new WeakMap<Element, History>();

/** Returns the elements with `look` at the controls that have had another look in an earlier observation. */
export function withLooks(elements: readonly ObservedElement[]): readonly ObservedElement[] {
  let left = MAX_CONTROLS;
  let found: ObservedElement[] | null = null;
  for (const [index, one] of elements.entries()) {
    if (one.letter !== 'B' || one.control !== 'click' || --left < 0) continue;
    const element = elementByKey(one.key);
    const look = element === null ? undefined : changedLook(element);
    if (look === undefined) continue;
    found ??= [...elements];
    found[index] = { ...one, look };
  }
  return found ?? elements;
}

function changedLook(element: Element): ActionLook | undefined {
  if (childElementCount(element) > MAX_CHILDREN) return undefined;
  const look = lookOf(element);
  const text = `${look.icon}|${look.classes.join(' ')}`;
  const history = histories.get(element);
  if (history === undefined) {
    histories.set(element, { seen: [text], last: look, changed: undefined });
    return undefined;
  }
  const { last, seen } = history;
  if (text === `${last.icon}|${last.classes.join(' ')}`) return history.changed;
  let number = seen.indexOf(text);
  if (number < 0 && seen.length < MAX_LOOKS) number = seen.push(text) - 1;
  history.last = look;
  history.changed = { number, ...difference(element, last, look) };
  return history.changed;
}

function difference(element: Element, before: Look, now: Look): Omit<ActionLook, 'number'> {
  if (before.icon !== now.icon) return { part: 'icon', words: iconWords(element) };
  const added = now.classes.filter(name => !before.classes.includes(name));
  const words = added.length > 0 ? added : before.classes.filter(name => !now.classes.includes(name));
  return { part: added.length > 0 ? 'class' : 'no class', words: words.slice(0, MAX_ICONS).join(' ') };
}

function lookOf(element: Element): Look {
  const classes = (getAttribute(element, 'class') ?? '')
    .split(/\s+/)
    .filter(name => name !== '' && !PASSING_CLASS.test(name));
  const isPlain = firstElementChild(element) === null;
  return { icon: isPlain ? '' : iconsOf(element), classes };
}

/** Returns what the icons in an element are drawn from: classes, sources, paths, and the names that icon fonts draw. */
function iconsOf(element: Element): string {
  return Array.from(queryAllIn(element, 'svg, img, i, span[class], use, path'))
    .slice(0, MAX_ICONS)
    .map(icon => {
      const names = (getAttribute(icon, 'class') ?? '')
        .split(/\s+/)
        .filter(name => !PASSING_CLASS.test(name));
      const turn = /(?:display|visibility|rotate)[^;]*/.exec(getAttribute(icon, 'style') ?? '')?.[0] ?? '';
      const source = getAttribute(icon, 'src') ?? getAttribute(icon, 'href') ?? getAttribute(icon, 'd') ?? '';
      const ligature =
        localName(icon) === 'i' ? normalizeText(textContent(icon) ?? '').slice(0, MAX_PART) : '';
      return [localName(icon), names.join(' '), source.slice(0, MAX_PART), turn, ligature].join();
    })
    .join(';');
}
