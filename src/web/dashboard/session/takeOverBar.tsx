/** The line that says who has the session and what the agent asks for, and the controls of a take-over. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { connectionState } from '../connection/socket.ts';
import { clockText, now, wholeDuration } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Modal } from '../parts/modal.tsx';
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
            onSubmit={event => {
              event.preventDefault();
              const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
              setAsking(false);
              if (name !== '') void takeOver.begin(name);
            }}
          >
            <label>
              Your name
              <input name="name" required maxLength={60} autocomplete="given-name" autofocus />
            </label>
            <p class="sub">
              Others see it while you have the session. The agent waits, and what you type is stored nowhere.
            </p>
            <button type="submit" class="button primary large">
              Take over
            </button>
          </form>
        </Modal>
      )}
    </>
  );
}

/** The options of a drop-down list that the page has opened: the browser draws such lists on no picture. */
export function OptionList({
  takeOver,
  openKeyboard,
}: {
  takeOver: TakeOverState;
  openKeyboard: () => void;
}): JSX.Element | null {
  const { options } = takeOver;
  const choose = (option: number | null) => {
    takeOver.choose(option);
    openKeyboard();
  };
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const first =
      list.current?.querySelector<HTMLElement>('[aria-current]') ?? list.current?.querySelector('button');
    first?.focus();
  }, [options]);
  if (options === null) return null;
  return (
    <div
      class="page-dialog options"
      role="dialog"
      aria-label="Options of the list"
      onKeyDown={event => {
        if (event.key === 'Escape') choose(null);
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button:enabled') ?? [])];
        buttons.at((buttons.indexOf(document.activeElement as HTMLElement) + by) % buttons.length)?.focus();
      }}
    >
      <ul ref={list}>
        {options.map(({ label, selected, disabled }, index) => (
          <li key={index}>
            <button
              type="button"
              aria-current={selected ? 'true' : undefined}
              disabled={disabled}
              onClick={() => choose(index)}
            >
              <bdi>{label || ' '}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <footer>
        <button type="button" class="button" onClick={() => choose(null)}>
          Cancel
        </button>
      </footer>
    </div>
  );
}

/** The line over the picture while a person is awaited or has the session; null otherwise. */
export function TakeOverBar({
  session,
  takeOver,
  openKeyboard,
}: {
  session: Pick<SessionData, 'status' | 'takeOver'>;
  takeOver: TakeOverState;
  openKeyboard: () => void;
}): JSX.Element | null {
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
        <button type="button" class="button" onClick={takeOver.end}>
          Decline
        </button>
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
      <button type="button" class="button touch-only" onClick={openKeyboard}>
        <Icon name="keyboard" /> Keyboard
      </button>
      <button type="button" id="hand-back" class="button primary" onClick={takeOver.end}>
        Hand back
      </button>
    </div>
  );
}
