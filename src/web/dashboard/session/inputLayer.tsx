/** The layer over the live picture that takes the input of a person who has the session. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { InputEventInput } from '../generated/operations.ts';
import { notify } from '../parts/notices.tsx';

/** The viewport of the session, in CSS pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** `KeyboardEvent.keyCode` of a key that an input method takes. */
const COMPOSED_KEY = 229;
/** The key that moves the focus out of the picture: all others go to the page. */
const LEAVING_KEY = 'F6';
const LINE_HEIGHT = 16;
const MAX_PASTE = 200_000;
/** Text of the field that takes the keys: an input method can delete it, which it does not tell of an empty field. */
const FILLER = ' ';

const isMac = /mac/i.test(navigator.platform);

function modifiersOf(event: KeyboardEvent): number {
  // On a Mac the Command key does what Control does in the browser of the session.
  const control = event.ctrlKey || (isMac && event.metaKey);
  return (
    (event.altKey ? 1 : 0) + (control ? 2 : 0) + (event.metaKey && !isMac ? 4 : 0) + (event.shiftKey ? 8 : 0)
  );
}

function keyEvent(type: 'KEY_DOWN' | 'KEY_UP', event: KeyboardEvent): InputEventInput {
  const isCommand = isMac && event.key === 'Meta';
  return {
    type,
    key: isCommand ? 'Control' : event.key,
    code: isCommand ? event.code.replace('Meta', 'Control') : event.code,
    keyCode: isCommand ? 17 : event.keyCode,
    modifiers: modifiersOf(event),
    repeat: event.repeat,
  };
}

const isPaste = (event: KeyboardEvent): boolean =>
  ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'v') ||
  (event.shiftKey && event.key === 'Insert');

interface InputLayerProps {
  readonly size: Size;
  readonly send: (...events: readonly InputEventInput[]) => void;
  readonly keyboard: { current: (() => void) | null };
}

/** Hands all input on as events of the page. @param keyboard set to a function that focuses the layer, for screens without a keyboard */
export function InputLayer({ size, send, keyboard }: InputLayerProps): JSX.Element {
  const layer = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const latest = useRef({ size, send });
  latest.current = { size, send };

  useEffect(() => {
    const target = layer.current;
    const keys = field.current;
    if (target === null || keys === null) return;
    const listening = new AbortController();
    const on = <Type extends keyof HTMLElementEventMap>(
      to: EventTarget,
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ) => to.addEventListener(type, listener as EventListener, { signal: listening.signal, passive: false });
    const emit = (...events: readonly InputEventInput[]) => latest.current.send(...events);
    const place = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
      const box = target.getBoundingClientRect();
      const { width, height } = latest.current.size;
      const within = (value: number, max: number) => Math.min(max - 1, Math.max(0, Math.round(value)));
      return {
        x: within(((clientX - box.left) / box.width) * width, width),
        y: within(((clientY - box.top) / box.height) * height, height),
      };
    };
    const focus = () => keys.focus({ preventScroll: true });
    keyboard.current = focus;

    // Mouse: a button that is pressed here is released wherever it is let go.
    let pressed = 0;
    const move = (event: MouseEvent) => emit({ type: 'MOUSE_MOVE', ...place(event) });
    const button = (type: 'MOUSE_DOWN' | 'MOUSE_UP', event: MouseEvent) => {
      if (event.button === 1) return;
      const clicks = Math.min(3, Math.max(1, event.detail));
      emit({ type, ...place(event), button: event.button === 2 ? 'RIGHT' : 'LEFT', clicks });
    };
    on(target, 'mousemove', event => pressed === 0 && move(event));
    on(window, 'mousemove', event => pressed > 0 && move(event));
    on(target, 'mousedown', event => {
      event.preventDefault();
      focus();
      pressed++;
      button('MOUSE_DOWN', event);
    });
    on(window, 'mouseup', event => {
      if (pressed === 0) return;
      pressed--;
      button('MOUSE_UP', event);
    });
    on(target, 'contextmenu', event => event.preventDefault());
    on(target, 'wheel', event => {
      event.preventDefault();
      const unit =
        event.deltaMode === 1 ? LINE_HEIGHT : event.deltaMode === 2 ? latest.current.size.height : 1;
      emit({ type: 'WHEEL', ...place(event), deltaX: event.deltaX * unit, deltaY: event.deltaY * unit });
    });

    const touch = (event: TouchEvent) => {
      event.preventDefault();
      emit({ type: 'TOUCH', points: Array.from(event.touches, place) });
    };
    for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const)
      on(target, type, touch);

    // Keyboard and input methods, through a field that nobody sees.
    const reset = () => {
      keys.value = FILLER;
      keys.setSelectionRange(FILLER.length, FILLER.length);
    };
    let isComposing = false;
    reset();
    on(keys, 'keydown', event => {
      if (event.key === LEAVING_KEY) {
        event.preventDefault();
        document.getElementById('hand-back')?.focus();
        return;
      }
      if (isPaste(event)) return;
      if (event.isComposing || event.keyCode === COMPOSED_KEY) {
        emit({ type: 'KEY_DOWN', key: event.key || 'Process', code: event.code, keyCode: COMPOSED_KEY });
        return;
      }
      event.preventDefault();
      emit(keyEvent('KEY_DOWN', event));
    });
    on(keys, 'keyup', event => {
      if (event.key === LEAVING_KEY) return;
      event.preventDefault();
      emit(keyEvent('KEY_UP', event));
    });
    on(keys, 'compositionstart', () => {
      isComposing = true;
    });
    on(keys, 'compositionupdate', event => emit({ type: 'COMPOSE', text: event.data }));
    on(keys, 'compositionend', event => {
      isComposing = false;
      emit(event.data === '' ? { type: 'COMPOSE', text: '' } : { type: 'TEXT', text: event.data });
      reset();
    });
    on(keys, 'input', event => {
      if (isComposing || (event as InputEvent).isComposing) return;
      const { value } = keys;
      const backspace = { key: 'Backspace', code: 'Backspace', keyCode: 8 };
      if (value === '') emit({ type: 'KEY_DOWN', ...backspace }, { type: 'KEY_UP', ...backspace });
      else {
        const text = value.startsWith(FILLER) ? value.slice(FILLER.length) : value;
        if (text !== '') emit({ type: 'TEXT', text });
      }
      reset();
    });
    on(keys, 'paste', event => {
      event.preventDefault();
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.length > MAX_PASTE) notify(`The text was cut to ${MAX_PASTE.toLocaleString()} characters.`);
      if (text !== '') emit({ type: 'PASTE', text: text.slice(0, MAX_PASTE) });
    });
    on(keys, 'blur', () => {
      pressed = 0;
      isComposing = false;
      emit({ type: 'RELEASE' });
      reset();
    });
    focus();
    return () => {
      keyboard.current = null;
      listening.abort();
    };
  }, []);

  return (
    <div ref={layer} class="input-layer">
      <textarea
        ref={field}
        aria-label="Keys for the page. F6 leaves the picture."
        autocapitalize="off"
        autocomplete="off"
        autocorrect="off"
        spellcheck={false}
      />
    </div>
  );
}
