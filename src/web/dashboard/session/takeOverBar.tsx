import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { connectionState } from '../connection/socket.ts';
import { Button, submits } from '../parts/button.tsx';
import { clockText, now, wholeDuration } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Modal } from '../parts/modal.tsx';
import type { OpenPicker } from './inputSender.ts';
import type { SessionData } from './useSession.ts';
import { lastName, type TakeOverState } from './useTakeOver.ts';

/** The button that begins a take-over. It asks for the name of the reader once. */
export function TakeOverButton({
  takeOver,
  isPrimary = false,
}: {
  takeOver: TakeOverState;
  isPrimary?: boolean;
}): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'button primary' : 'button'}
        onClick={() => (lastName() === '' ? setAsking(true) : takeOver.begin(lastName()))}
      >
        <Icon name="hand" /> Take over
      </button>
      {isAsking && (
        <Modal title="Take over" onClose={() => setAsking(false)}>
          <form
            class="fields"
            onSubmit={submits(form => {
              const name = String(new FormData(form).get('name') ?? '').trim();
              setAsking(false);
              if (name !== '') void takeOver.begin(name);
            })}
          >
            <label>
              Your name
              <input name="name" required maxLength={60} autocomplete="given-name" autofocus />
            </label>
            <p class="sub">
              Others see it while you have the session. The agent waits, and what you type is stored nowhere.
            </p>
            <Button kind="primary large" type="submit">
              Take over
            </Button>
          </form>
        </Modal>
      )}
    </>
  );
}

/** The picker that the page has opened: the browser draws it on no picture. */
export function Picker({
  takeOver,
  openKeyboard,
}: {
  takeOver: TakeOverState;
  openKeyboard: () => void;
}): JSX.Element | null {
  const { picker } = takeOver;
  if (picker === null) return null;
  const choose: TakeOverState['choose'] = answer => {
    takeOver.choose(answer);
    openKeyboard();
  };
  const { type } = picker;
  if (type === 'SELECT' || type === 'SUGGESTIONS') return <OptionList picker={picker} choose={choose} />;
  return <ValuePicker key={type} kind={VALUES[type]} picker={picker} choose={choose} />;
}

interface PickerProps {
  readonly picker: OpenPicker;
  readonly choose: TakeOverState['choose'];
}

/** The options of a drop-down list, or the suggestions for a text field: then the keys still go to the field. */
function OptionList({ picker: { type, options }, choose }: PickerProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (type === 'SUGGESTIONS') return;
    const first =
      list.current?.querySelector<HTMLElement>('[aria-current]') ?? list.current?.querySelector('button');
    first?.focus();
  }, [type]);
  return (
    <div
      class="page-dialog options"
      role="dialog"
      aria-label={type === 'SELECT' ? 'Options of the list' : 'Suggestions for the field'}
      onKeyDown={event => {
        if (event.key === 'Escape') choose({});
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button:enabled') ?? [])];
        buttons.at((buttons.indexOf(document.activeElement as HTMLElement) + by) % buttons.length)?.focus();
      }}
    >
      <ul ref={list}>
        {options.map(({ label, selected, disabled }, option) => (
          <li key={option}>
            <button
              type="button"
              aria-current={selected ? 'true' : undefined}
              disabled={disabled}
              onClick={() => choose({ option })}
            >
              <bdi>{label || ' '}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <footer>
        <Button onClick={() => choose({})}>Cancel</Button>
      </footer>
    </div>
  );
}

const VALUES = {
  COLOR: ['color', 'Colour'],
  DATE: ['date', 'Date'],
  DATETIME_LOCAL: ['datetime-local', 'Date and time'],
  MONTH: ['month', 'Month'],
  TIME: ['time', 'Time'],
  WEEK: ['week', 'Week'],
} as const;

/** An input of the same type as that of the page: the reader's own browser shows its picker. */
function ValuePicker({
  picker: { value, min, max, step },
  choose,
  kind: [type, name],
}: PickerProps & { readonly kind: (typeof VALUES)[keyof typeof VALUES] }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const given = (text: string) => (text === '' ? undefined : text);
  return (
    <div
      class="page-dialog"
      role="dialog"
      aria-label={name}
      onKeyDown={event => {
        if (event.key === 'Escape') choose({});
      }}
    >
      <form onSubmit={submits(() => choose({ text: input.current?.value ?? '' }))}>
        <label>
          {name}
          <input
            ref={input}
            type={type}
            defaultValue={value}
            min={given(min)}
            max={given(max)}
            step={given(step)}
          />
        </label>
        <footer>
          <Button onClick={() => choose({})}>Cancel</Button>
          <Button kind="primary" type="submit">
            Set
          </Button>
        </footer>
      </form>
    </div>
  );
}

interface TakeOverBarProps {
  readonly session: Pick<SessionData, 'status' | 'takeOver'>;
  readonly takeOver: TakeOverState;
  readonly openKeyboard: () => void;
}

/** The line over the picture while a person is awaited or has the session; null otherwise. */
export function TakeOverBar({ session, takeOver, openKeyboard }: TakeOverBarProps): JSX.Element | null {
  const shown = session.takeOver;
  if (shown === null || session.status !== 'ACTIVE') return null;
  const { status, instructions, holder, since, until } = shown;
  const task = instructions !== null && (
    <q class="task">
      <bdi>{instructions}</bdi>
    </q>
  );
  if (status === 'WAITING') {
    const left = until === null ? null : Date.parse(until) - now.value;
    return (
      <div class="take-over-bar waiting" role="status">
        <p>
          <strong>The agent asks for a person.</strong> {task}
          {left !== null && left > 0 && <span class="sub"> {wholeDuration(left)} left</span>}
        </p>
        <TakeOverButton takeOver={takeOver} isPrimary />
        <Button onClick={takeOver.end}>Decline</Button>
      </div>
    );
  }
  if (!takeOver.isMine)
    return (
      <div class="take-over-bar" role="status">
        <p>
          <strong>
            Held by <bdi>{holder}</bdi>
          </strong>{' '}
          since {clockText(since)}. {task}
        </p>
      </div>
    );
  const isCut = connectionState.value !== 'open';
  return (
    <div class={isCut ? 'take-over-bar waiting' : 'take-over-bar mine'}>
      <p role="status">
        {isCut ? (
          <strong>The connection is cut. You keep the session for 30 seconds…</strong>
        ) : (
          <>
            <strong>You have the session.</strong> {task || 'Click on the picture and type; the agent waits.'}{' '}
            <span class="sub wide-only">
              <kbd>F6</kbd> leaves the picture.
            </span>
          </>
        )}
      </p>
      <Button kind="touch-only" icon="keyboard" onClick={openKeyboard}>
        Keyboard
      </Button>
      <Button kind="primary" id="hand-back" onClick={takeOver.end}>
        Hand back
      </Button>
    </div>
  );
}
