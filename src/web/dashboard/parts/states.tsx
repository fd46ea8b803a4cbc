import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icons.tsx';

/** Anything that takes longer than this shows that it is going on, in milliseconds. */
const SHOW_AFTER_MS = 300;

/** Says that something loads, once it takes long enough to be noticed. */
export function Loading({ what }: { what: string }): JSX.Element {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="state" role="status" aria-busy="true">
      {isShown && (
        <>
          <span class="spinner" aria-hidden="true" />
          <p>Loading {what}…</p>
        </>
      )}
    </div>
  );
}

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** True if nothing else is on the page: then this is its title. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}

/** A view that has nothing to show: why, and what to do. */
export const Empty = ({ icon, title, isPage = false, children }: EmptyProps): JSX.Element => (
  <div class="state">
    <span class="state-icon">
      <Icon name={icon} />
    </span>
    {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
    {children}
  </div>
);

/** The reason why a form could not do its work; nothing if it could. */
export const Wrong = ({ text }: { text: string | null }): JSX.Element | null =>
  text === null ? null : (
    <p class="wrong" role="alert">
      {text}
    </p>
  );

/** A failure of the whole view, with a way to try again. */
export const Failed = ({ message, retry }: { message: string; retry?: () => void }): JSX.Element => (
  <div class="state" role="alert">
    <span class="state-icon bad">
      <Icon name="warn" />
    </span>
    <h2>This did not work</h2>
    <p>{message}</p>
    {retry !== undefined && (
      <Button icon="reload" onClick={retry}>
        Try again
      </Button>
    )}
  </div>
);
