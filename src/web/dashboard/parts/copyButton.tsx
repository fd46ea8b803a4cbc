import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

/** How long the button says that it has copied, in milliseconds. */
const DONE_MS = 1_600;

interface CopyButtonProps {
  readonly text: string | (() => string | Promise<string>);
  readonly label: string;
  readonly children?: string;
}

/** @param label the accessible name; `children` is the text beside the icon, if any */
export function CopyButton({ text, label, children }: CopyButtonProps): JSX.Element {
  const [state, setState] = useState<'ready' | 'done' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), DONE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setState('done');
    } catch {
      // The browser refused, or the text could not be read: the button says so.
      setState('failed');
    }
  };
  return (
    <button
      type="button"
      class={children === undefined ? 'button quiet square' : 'button quiet'}
      aria-label={label}
      title={label}
      onClick={copy}
    >
      <Icon name={state === 'done' ? 'check' : state === 'failed' ? 'warn' : 'copy'} />
      {children}
      <span class="unseen" role="status">
        {state === 'done' ? 'Copied' : state === 'failed' ? 'Copying failed' : ''}
      </span>
    </button>
  );
}
