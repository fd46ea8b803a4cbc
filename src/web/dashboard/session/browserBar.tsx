/** The controls of a browser: back, forward, reload, the address, the tabs, scrolling, and what has no control of its own. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button, submits } from '../parts/button.tsx';
import { Icon, type IconName } from '../parts/icons.tsx';
import type { Performing } from './performing.ts';
import type { SessionData, SpaceData } from './useSession.ts';

/** The special actions that have a control here: docs/contract.md lists all of them. */
const BACK = 'S4';
const FORWARD = 'S5';
const RELOAD = 'S6';
const SCROLL_DOWN = 'S9';
const SCROLL_UP = 'S10';
const SWITCH_TAB = 'S12';
const CLOSE_TAB = 'S13';
export const ACCEPT = 'S14';
export const DISMISS = 'S15';
/** Actions that are not offered: those with a control, those whose answer is not a list, and the end of the session. */
const NOT_OFFERED = new Set([
  'S1',
  'S2',
  'S3',
  BACK,
  FORWARD,
  RELOAD,
  'S8',
  SCROLL_DOWN,
  SCROLL_UP,
  SWITCH_TAB,
  CLOSE_TAB,
  ACCEPT,
  DISMISS,
]);

interface BrowserBarProps {
  readonly session: SessionData;
  readonly space: SpaceData | null;
  readonly url: string;
  readonly performing: Performing;
  readonly isPast: boolean;
}

/** @param isPast true while looking at an earlier moment: nothing can be performed then */
export function BrowserBar({ session, space, url, performing, isPast }: BrowserBarProps): JSX.Element {
  const [address, setAddress] = useState(url);
  useEffect(() => setAddress(url), [url]);
  const isOff = isPast || session.status !== 'ACTIVE' || performing.running.value !== null;
  const offered = new Set(
    [...(space?.specialActions ?? []), ...(space?.browserActions ?? [])].map(({ id }) => id),
  );
  const control = (id: string, icon: IconName, label: string) => (
    <Button
      kind="quiet square"
      icon={icon}
      label={label}
      title={`${label} (${id})`}
      disabled={isOff || !offered.has(id)}
      onClick={() => performing.step(id)}
    />
  );
  const isRunning = performing.running.value !== null || session.runningOperation !== null;
  return (
    <div class={isRunning ? 'browser-bar busy' : 'browser-bar'}>
      {control(BACK, 'back', 'Back')}
      {control(FORWARD, 'forward', 'Forward')}
      {control(RELOAD, 'reload', 'Reload')}
      <form
        class="address"
        onSubmit={submits(() => address.trim() !== '' && performing.open(address.trim()))}
      >
        <input
          type="text"
          inputMode="url"
          spellcheck={false}
          autocomplete="off"
          aria-label="Address"
          placeholder="Enter an address"
          value={address}
          readOnly={isPast || session.status !== 'ACTIVE'}
          onInput={event => setAddress(event.currentTarget.value)}
          onFocus={event => event.currentTarget.select()}
        />
      </form>
      {control(SCROLL_UP, 'up', 'Scroll up')}
      {control(SCROLL_DOWN, 'down', 'Scroll down')}
    </div>
  );
}

interface TabStripProps {
  readonly tabs: SessionData['tabs'];
  readonly performing: Performing;
  readonly isOff: boolean;
}

export function TabStrip({ tabs, performing, isOff }: TabStripProps): JSX.Element | null {
  if (tabs.length < 2) return null;
  // The action closes the active tab.
  const close = async (tab: SessionData['tabs'][number]) => {
    if (tab.active || (await performing.step(SWITCH_TAB, { value: tab.id })))
      await performing.step(CLOSE_TAB);
  };
  return (
    <ul class="tabs" aria-label="Tabs">
      {tabs.map(tab => (
        <li key={tab.id} class={tab.active ? 'on' : ''}>
          <button
            type="button"
            aria-current={tab.active ? 'true' : undefined}
            disabled={isOff || tab.active}
            onClick={() => performing.step(SWITCH_TAB, { value: tab.id })}
          >
            <bdi>{tab.title || tab.url || tab.id}</bdi>
          </button>
          <button
            type="button"
            class="tab-close"
            aria-label={`Close ${tab.title || tab.id}`}
            disabled={isOff}
            onClick={() => close(tab)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The JavaScript dialog that blocks the page. @param answer null while nothing can be performed */
export function PageDialog({
  dialog,
  answer,
}: {
  dialog: NonNullable<SessionData['dialog']>;
  answer: ((isAccepted: boolean, text: string | null) => void) | null;
}): JSX.Element {
  const [text, setText] = useState(dialog.defaultValue ?? '');
  const isPrompt = dialog.kind === 'PROMPT';
  const isAlert = dialog.kind === 'ALERT';
  return (
    <div class="page-dialog" role="alertdialog" aria-label={isAlert ? 'The page says' : 'The page asks'}>
      <form onSubmit={submits(() => answer?.(true, isPrompt ? text : null))}>
        <strong>{isAlert ? 'The page says' : 'The page asks'}</strong>
        <p>
          <bdi>{dialog.message}</bdi>
        </p>
        {isPrompt && (
          <input
            type="text"
            aria-label="Answer"
            value={text}
            onInput={event => setText(event.currentTarget.value)}
          />
        )}
        <footer>
          {!isAlert && (
            <Button disabled={answer === null} onClick={() => answer?.(false, null)}>
              Dismiss
            </Button>
          )}
          <Button kind="primary" type="submit" disabled={answer === null}>
            Accept
          </Button>
        </footer>
      </form>
    </div>
  );
}

interface SpecialActionsProps {
  readonly space: SpaceData;
  readonly performing: Performing;
  readonly isOff: boolean;
}

/** The special actions that have no control of their own: each takes its value here. */
export function SpecialActions({ space, performing, isOff }: SpecialActionsProps): JSX.Element {
  const actions = [...space.specialActions, ...space.browserActions].filter(({ id }) => !NOT_OFFERED.has(id));
  const [chosen, setChosen] = useState('');
  const [value, setValue] = useState('');
  return (
    <form
      class="special"
      aria-label="Other actions"
      onSubmit={submits(() => performing.step(chosen, { value: value === '' ? null : value }))}
    >
      <select
        aria-label="Other action"
        value={chosen}
        onChange={event => setChosen(event.currentTarget.value)}
      >
        <option value="">Other actions…</option>
        {actions.map(({ id, description }) => (
          <option key={id} value={id}>
            {id} {description}
          </option>
        ))}
      </select>
      {chosen !== '' && (
        <>
          <input
            type="text"
            aria-label="Value"
            placeholder="value"
            value={value}
            onInput={event => setValue(event.currentTarget.value)}
          />
          <Button type="submit" disabled={isOff}>
            Perform
          </Button>
        </>
      )}
    </form>
  );
}
