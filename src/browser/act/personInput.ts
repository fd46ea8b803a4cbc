/** Hands the input of a person to the active tab, in the order in which it was given, and knows what is pressed. */
import { afterMs, race } from '../../async/race.ts';
import type { Deadline } from '../../domain/ports/clock.ts';
import type { SecretMask } from '../../domain/secretMask.ts';
import {
  type InputAnswer,
  type InputCounts,
  type InputEvent,
  type KeyInput,
  MODIFIER_BITS,
  type OpenPicker,
} from '../../domain/session/takeOver.ts';
import type { IsolatedWorld } from '../cdp/isolatedWorld.ts';
import type { EnteredValues } from '../perceive/enteredValues.ts';
import { clipboardOf, type SessionClipboard } from '../tab/sessionClipboard.ts';
import { Interrupted, type Tab } from '../tab/tab.ts';
import type { TabSet } from '../tab/tabSet.ts';
import { isPasteChord, pasteContent } from './values/pasteContent.ts';

/** Maximum wait for the page to take an event, in milliseconds; the next one follows then, although the page is busy. */
const EVENT_TIMEOUT_MS = 2_000;
/** The same for a choice in a picker: keys that come before it takes them are pressed again. Milliseconds. */
const CHOICE_TIMEOUT_MS = 15_000;
/** Time in which keys choose a value, before a script enters it. Milliseconds. */
const CHOICE_KEYS_MS = 12_000;
/** Maximum wait for the page to take a paste, and to report a copy, in milliseconds: it is lost if that takes longer. */
const CLIPBOARD_TIMEOUT_MS = 8_000;
/** Time after which the rest of a message is dropped: a page that is busy takes each event late. Milliseconds. */
const MAX_DISPATCH_MS = 30_000;
/** Maximum length of a text that is typed into a secret field, and kept out of all texts. Characters. */
const MAX_SECRET_LENGTH = 1_000;
/** Maximum wait for the fields of a page in which a secret may stand, in milliseconds. */
const READ_TIMEOUT_MS = 2_000;
const MAX_READ_FRAMES = 30;

const MODIFIERS = Object.keys(MODIFIER_BITS);
/** Keys after which a page may leave the field or send its form. */
const LEAVING_KEYS = new Set(['Enter', 'Tab', 'Escape']);

/** The tabs, the mask and the entered values of a session. */
export interface PersonInputDeps {
  readonly tabs: TabSet;
  readonly secrets: SecretMask;
  readonly entered: EnteredValues;
  /** Runs an operation on the pages of the session. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The keys, buttons and fingers that are down, and their tab. */
interface Pressed {
  readonly tab: Tab;
  readonly keys: Map<string, KeyInput>;
  readonly modifiers: Set<string>;
  readonly buttons: Set<'left' | 'right'>;
  fingers: number;
  isComposing: boolean;
}

/** The input of a person in one session. Call one method at a time. */
export class PersonInput {
  readonly #deps: PersonInputDeps;
  #pressed: Pressed | null = null;
  #inputs = 0;
  #lastType: InputEvent['type'] | null = null;
  /** The text that was typed since the focus may have changed last; null for none. */
  #typed: { readonly tab: Tab; readonly isSecret: boolean; text: string } | null = null;

  /** The content of the clipboard when a key was pressed that may copy; null if none was, or its copy was told. */
  #copying: { readonly before: SessionClipboard['content'] } | null = null;
  /** The picker that the person was told last. */
  #shown: OpenPicker | null = null;
  /** False when the session has been handed back during the present message. */
  #mayGoOn: () => boolean = () => true;
  /** True if the last press was that of a finger. */
  #isTouched = false;

  constructor(deps: PersonInputDeps) {
    this.#deps = deps;
  }

  /** All that persons have done in the session so far. */
  get counts(): InputCounts {
    return { inputs: this.#inputs, navigations: this.#deps.tabs.navigationCount };
  }

  /** Hands the events to the active tab; an open dialog takes only its answer. @param mayGoOn after false the rest is dropped and all is released */
  dispatch(events: readonly InputEvent[], mayGoOn: () => boolean = () => true): Promise<InputAnswer> {
    return this.#deps.run(() => this.#dispatchAll(events, mayGoOn));
  }

  async #dispatchAll(events: readonly InputEvent[], mayGoOn: () => boolean): Promise<InputAnswer> {
    const end = performance.now() + MAX_DISPATCH_MS;
    const clipboard = clipboardOf(this.#deps.tabs.active.page.context());
    if (events.some(mayOpenPicker) || events.some(({ type }) => type === 'key_down')) this.#copying = null;
    this.#mayGoOn = mayGoOn;
    for (const event of events) {
      if (!mayGoOn() || performance.now() > end) {
        await this.release();
        break;
      }
      if (event.type === 'key_down' && /^[cxCX]$|^Insert$|^Delete$/.test(event.key))
        this.#copying ??= { before: clipboard.content };
      await this.#dispatch(event);
    }
    const copied = await this.#copied(clipboard);
    if (events.length > 0 && !events.some(mayOpenPicker)) return { copied, picker: null };
    this.#shown = (await this.#readPicker())?.picker ?? null;
    return { copied, picker: this.#shown };
  }

  /** Returns the text that the page has copied since the last key that may copy; null for none, and once it was told. */
  async #copied(clipboard: SessionClipboard): Promise<string | null> {
    if (this.#copying === null) return null;
    // The page reports a copy in a turn of its own, a busy one after the present message.
    await this.#deps.tabs.active.interruptible(this.#ping()).catch(ignoreInterruption);
    const { content } = clipboard;
    if (content === this.#copying?.before) return null;
    this.#copying = null;
    return content?.text ?? null;
  }

  /** Releases all keys, buttons and fingers, ends a composition, and keeps what was typed as a secret out of all texts. Never rejects. */
  async release(): Promise<void> {
    const pressed = this.#pressed;
    this.#pressed = null;
    if (pressed !== null) await this.#releaseAll(pressed);
    await this.#keepTyped();
  }

  async #dispatch(event: InputEvent): Promise<void> {
    if (event.type === 'release') return this.release();
    const tab = this.#deps.tabs.active;
    if (this.#pressed !== null && this.#pressed.tab !== tab) await this.release();
    this.#count(event);
    if (mayOpenPicker(event)) this.#isTouched = event.type === 'touch';
    if (event.type === 'accept_dialog' || event.type === 'dismiss_dialog') {
      const text = event.type === 'accept_dialog' ? event.text : null;
      // The page may have closed it meanwhile: the state of the session tells.
      await tab.dialogs.answer(event.type === 'accept_dialog', text).catch(() => false);
      return;
    }
    if (tab.isUnresponsive) return;
    this.#pressed ??= {
      tab,
      keys: new Map(),
      modifiers: new Set(),
      buttons: new Set(),
      fingers: 0,
      isComposing: false,
    };
    if (mayLeaveField(event)) await this.#keepTyped();
    // The page decides which field gets it, also one in a frame of another site.
    if (/^(?:key_down|text|compose|paste)$/.test(event.type)) this.#deps.secrets.noteEntry();
    const text = textOf(event);
    if (text !== '' || (event.type === 'key_down' && event.key === 'Backspace')) await this.#type(tab, text);
    const timeoutMs = event.type === 'choose' ? CHOICE_TIMEOUT_MS : EVENT_TIMEOUT_MS;
    await this.#within(tab, () => this.#perform(event, this.#pressed as Pressed), timeoutMs);
  }

  async #perform(event: PageInput, pressed: Pressed): Promise<void> {
    const { page, target } = pressed.tab;
    const { session } = target.channel;
    switch (event.type) {
      case 'mouse_move':
        return page.mouse.move(event.x, event.y);
      case 'mouse_down':
        pressed.buttons.add(event.button);
        await page.mouse.move(event.x, event.y);
        // A busy page took the move late, and everything was released meanwhile: nobody would release this button.
        if (this.#pressed !== pressed) return;
        return page.mouse.down({ button: event.button, clickCount: event.clicks });
      case 'mouse_up':
        if (!pressed.buttons.delete(event.button)) return;
        await page.mouse.move(event.x, event.y);
        return page.mouse.up({ button: event.button, clickCount: event.clicks });
      case 'wheel':
        await page.mouse.move(event.x, event.y);
        if (this.#pressed !== pressed) return;
        return page.mouse.wheel(event.deltaX, event.deltaY);
      case 'key_down':
        return this.#keyDown(event, pressed);
      case 'key_up':
        return this.#keyUp(event, pressed);
      case 'text':
        pressed.isComposing = false;
        await session.send('Input.insertText', { text: event.text });
        return;
      case 'compose': {
        pressed.isComposing = event.text !== '';
        const { length } = event.text;
        await session.send('Input.imeSetComposition', {
          text: event.text,
          selectionStart: length,
          selectionEnd: length,
        });
        return;
      }
      case 'paste':
        return pasteContent(pressed.tab, 'Control+V', timeLimit(CLIPBOARD_TIMEOUT_MS), {
          text: event.text,
          html: null,
        });
      case 'touch': {
        const { fingers } = pressed;
        const { length } = event.points;
        pressed.fingers = length;
        const type = length > fingers ? 'touchStart' : length < fingers ? 'touchEnd' : 'touchMove';
        const touchPoints = event.points.map((point, id) => ({ ...point, id }));
        if (length > 0 || fingers > 0) await session.send('Input.dispatchTouchEvent', { type, touchPoints });
        return;
      }
      case 'choose':
        return this.#choose(event, pressed);
    }
  }

  /** Answers the open picker, and closes it. Stops if the picker or the option is another one by then. */
  async #choose({ option: index, text }: Choice, pressed: Pressed): Promise<void> {
    const start = performance.now();
    const shown = this.#shown;
    // A busy page answers late: the choice is not lost for that.
    const found = await this.#readPicker(CHOICE_KEYS_MS);
    if (found === null) return;
    const { picker, world } = found;
    if (picker.type !== shown?.type) return;
    const option = index === null ? null : picker.options[index];
    if (index !== null && (!option || option.disabled || option.label !== shown.options[index]?.label))
      return;
    const mayGoOn = this.#mayGoOn;
    // A busy page answers late: the session can be handed back meanwhile, and the next input does not wait longer.
    const isHeld = (): boolean =>
      performance.now() - start < CHOICE_TIMEOUT_MS && mayGoOn() && this.#pressed === pressed;
    const press = async (key: string) => {
      if (isHeld()) await pressed.tab.page.keyboard.press(key);
    };
    if (picker.type !== 'select') {
      const mayPress = (): boolean => isHeld() && performance.now() - start < CHOICE_KEYS_MS;
      // A picker that Chromium draws takes the key, or loses it while it is being drawn; without one the page would take it.
      const pressUntilClosed = async (key: string) => {
        while (mayPress() && (await world.callAgent('isPickerDrawn'))) await press(key);
      };
      for (let isReopened = true; isReopened && mayPress(); ) {
        await pressUntilClosed('Escape');
        isReopened = text !== null && (await world.callAgentWithUserGesture('reopenPicker', text));
        if (isReopened) await pressUntilClosed('Enter');
      }
      if (isHeld()) await world.callAgent('answerPicker', index, text);
      return;
    }
    if (index === null) return press('Escape');
    // The keys that the open list takes: the page gets the events of a person.
    const steps = picker.options.slice(0, index).filter(({ disabled }) => !disabled).length;
    for (const key of ['Home', ...Array<string>(steps).fill('ArrowDown')]) await press(key);
    const now = await this.#readPicker();
    if (now?.picker.options[index]?.label === option?.label) await press('Enter');
  }

  /** Returns the picker that is open in the active tab, without secrets, and its frame; null for none. Never rejects. */
  #readPicker(
    timeoutMs = READ_TIMEOUT_MS,
  ): Promise<{ readonly picker: OpenPicker; readonly world: IsolatedWorld } | null> {
    const tab = this.#deps.tabs.active;
    const read = async () => {
      for await (const world of this.#worlds(tab, timeoutMs)) {
        const picker = await world.callAgent('openPicker', this.#isTouched);
        if (picker !== null) return { picker: this.#deps.secrets.maskAll(picker), world };
      }
      return null;
    };
    return race(
      tab.interruptible(read()).catch(() => null),
      afterMs(timeoutMs, () => null),
    );
  }

  /** Yields the isolated worlds of the frames of a tab, each with the agent. */
  async *#worlds(tab: Tab, timeoutMs = READ_TIMEOUT_MS): AsyncGenerator<IsolatedWorld> {
    const worlds: IsolatedWorld[] = [await tab.world(timeLimit(timeoutMs))];
    for (const world of worlds) {
      await world.install('agent');
      yield world;
      if (worlds.length < MAX_READ_FRAMES) worlds.push(...(await world.children()));
    }
  }

  async #keyDown(event: KeyInput, pressed: Pressed): Promise<void> {
    const { page, target } = pressed.tab;
    if (MODIFIERS.includes(event.key)) {
      pressed.modifiers.add(event.key);
      return page.keyboard.down(event.key);
    }
    // Chromium's own clipboard belongs to all pages of the browser.
    const chord = chordOf(event);
    if (isPasteChord(chord)) return pasteContent(pressed.tab, chord, timeLimit(CLIPBOARD_TIMEOUT_MS));
    pressed.keys.set(event.code || event.key, event);
    const text = textOf(event);
    await target.channel.session.send('Input.dispatchKeyEvent', {
      ...keyParams(event),
      type: text === '' ? 'rawKeyDown' : 'keyDown',
      autoRepeat: event.repeat,
      ...(text !== '' && { text, unmodifiedText: text }),
    });
  }

  async #keyUp(event: KeyInput, pressed: Pressed): Promise<void> {
    if (pressed.modifiers.delete(event.key)) return pressed.tab.page.keyboard.up(event.key);
    if (!pressed.keys.delete(event.code || event.key)) return;
    await pressed.tab.target.channel.session.send('Input.dispatchKeyEvent', {
      ...keyParams(event),
      type: 'keyUp',
    });
  }

  async #releaseAll(pressed: Pressed): Promise<void> {
    const { tab, keys, modifiers, buttons } = pressed;
    if (tab.page.isClosed() || tab.crashed) return;
    if (pressed.isComposing)
      await this.#within(tab, () => this.#perform({ type: 'compose', text: '' }, pressed));
    for (const key of [...keys.values()])
      await this.#within(tab, () => this.#keyUp({ ...key, type: 'key_up', modifiers: 0 }, pressed));
    for (const button of [...buttons]) await this.#within(tab, () => tab.page.mouse.up({ button }));
    for (const key of [...modifiers]) await this.#within(tab, () => tab.page.keyboard.up(key));
    if (pressed.fingers > 0)
      await this.#within(tab, () => this.#perform({ type: 'touch', points: [] }, pressed));
  }

  /** Performs one event. A page that is busy, that is being replaced or that opens a dialog does not hold up the next one. */
  async #within(tab: Tab, work: () => Promise<void>, timeoutMs = EVENT_TIMEOUT_MS): Promise<void> {
    // What the page did with the event is on the picture: there is nobody else to tell.
    await race(
      tab.interruptible(work()).catch(() => undefined),
      afterMs(timeoutMs),
    );
  }

  #count(event: InputEvent): void {
    const { type } = event;
    const isFirst = this.#lastType !== type;
    this.#lastType = type;
    const counts =
      type === 'mouse_down' ||
      type === 'text' ||
      type === 'paste' ||
      (type === 'key_down' &&
        !event.repeat &&
        event.keyCode !== COMPOSED_KEY &&
        !MODIFIERS.includes(event.key)) ||
      type === 'accept_dialog' ||
      type === 'dismiss_dialog' ||
      type === 'choose' ||
      (type === 'touch' && event.points.length > (this.#pressed?.fingers ?? 0)) ||
      // A turn of the wheel is many events.
      (type === 'wheel' && isFirst);
    if (counts) this.#inputs++;
  }

  /** Remembers a typed text, and whether the field is a secret one. An empty text is a Backspace. */
  async #type(tab: Tab, text: string): Promise<void> {
    this.#typed ??= { tab, isSecret: await this.#isSecret(tab), text: '' };
    // Nothing needs the text of other fields.
    if (!this.#typed.isSecret) return;
    const { text: before } = this.#typed;
    this.#typed.text = text === '' ? before.slice(0, -1) : (before + text).slice(0, MAX_SECRET_LENGTH);
  }

  async #isSecret(tab: Tab): Promise<boolean> {
    const work = async (): Promise<boolean> => {
      const world = await tab.world(timeLimit(READ_TIMEOUT_MS));
      await world.install('agent');
      return world.callAgent('beginSecretTyping');
    };
    // A page that does not answer may have a secret field: its text is kept out of all texts too.
    return tab.interruptible(work()).catch(() => true);
  }

  /** Hands the mask of the session what was typed into a secret field, and what secret fields hold. Never rejects. */
  async #keepTyped(): Promise<void> {
    const typed = this.#typed;
    this.#typed = null;
    if (typed === null) return;
    if (typed.isSecret) this.#deps.secrets.add(typed.text);
    const { tab } = typed;
    const read = async (): Promise<void> => {
      for await (const world of this.#worlds(tab)) {
        const values = await world.callAgent('secretValues');
        this.#deps.entered.report(world.context.uniqueId, { values, keys: [] });
      }
    };
    await race(
      tab.interruptible(read()).catch(() => undefined),
      afterMs(READ_TIMEOUT_MS),
    );
  }

  #ping(): Promise<unknown> {
    return race(this.#deps.tabs.active.ping(), afterMs(CLIPBOARD_TIMEOUT_MS));
  }
}

/** `KeyboardEvent.keyCode` of a key that an input method takes. */
const COMPOSED_KEY = 229;

type PageInput = Exclude<InputEvent, { type: 'release' | 'accept_dialog' | 'dismiss_dialog' }>;

type Choice = Extract<InputEvent, { type: 'choose' }>;

const mayOpenPicker = (event: InputEvent): boolean =>
  event.type === 'mouse_down' ||
  event.type === 'mouse_up' ||
  event.type === 'touch' ||
  (event.type === 'key_down' && /^(?: |Enter|F4|Arrow(?:Down|Up))$/.test(event.key));

const mayLeaveField = (event: InputEvent): boolean =>
  event.type === 'mouse_down' ||
  event.type === 'touch' ||
  (event.type === 'key_down' && LEAVING_KEYS.has(event.key));

function textOf(event: InputEvent): string {
  if (event.type === 'text' || event.type === 'paste') return event.text;
  if (event.type !== 'key_down' || event.keyCode === COMPOSED_KEY) return '';
  if (event.key === 'Enter') return '\r';
  const { key, modifiers } = event;
  if ([...key].length !== 1) return '';
  const has = (name: keyof typeof MODIFIER_BITS): boolean => (modifiers & MODIFIER_BITS[name]) !== 0;
  // Control and Alt together are AltGr; Alt alone makes characters outside ASCII on some keyboards.
  const isChord = has('Control') ? !has('Alt') : has('Alt') && /[\x20-\x7e]/.test(key);
  return has('Meta') || isChord ? '' : key;
}

/** Returns the fields of `Input.dispatchKeyEvent`. A character that AltGr makes has no modifiers: with them it would be a chord. */
function keyParams(event: KeyInput) {
  const { key, code, keyCode, modifiers } = event;
  const isCharacter = textOf({ ...event, type: 'key_down' }) !== '' && key !== 'Enter';
  const bits = isCharacter ? modifiers & MODIFIER_BITS.Shift : modifiers;
  const location = /Right$/.test(code) ? 2 : /Left$/.test(code) && MODIFIERS.includes(key) ? 1 : 0;
  return {
    key,
    code,
    windowsVirtualKeyCode: keyCode,
    modifiers: bits,
    location,
    isKeypad: code.startsWith('Numpad'),
  };
}

const chordOf = ({ key, modifiers }: KeyInput): string =>
  [...MODIFIERS.filter(name => (modifiers & MODIFIER_BITS[name as 'Alt']) !== 0), key].join('+');

function timeLimit(ms: number): Deadline {
  const end = performance.now() + ms;
  return { signal: AbortSignal.timeout(ms), remainingMs: () => Math.max(0, end - performance.now()) };
}

function ignoreInterruption(error: unknown): void {
  if (!(error instanceof Interrupted)) throw error;
}
