/** Short messages about what the reader did: they stay for some seconds, failures until they are closed. */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly isFailure: boolean;
}

/** How long a message that is not a failure stays, in milliseconds. */
const STAY_MS = 4_000;

const notices = signal<readonly Notice[]>([]);
let count = 0;

const drop = (id: number): void => {
  notices.value = notices.value.filter(each => each.id !== id);
};

export function notify(text: string): void {
  count += 1;
  const id = count;
  notices.value = [...notices.value.slice(-2), { id, text, isFailure: false }];
  setTimeout(() => drop(id), STAY_MS);
}

export function notifyFailure(error: unknown): void {
  count += 1;
  const text = error instanceof Error ? error.message : String(error);
  notices.value = [...notices.value.slice(-2), { id: count, text, isFailure: true }];
}

export const Notices = (): JSX.Element => (
  <div class="notices" role="status" aria-live="polite">
    {notices.value.map(({ id, text, isFailure }) => (
      <div key={id} class={isFailure ? 'notice bad' : 'notice'}>
        <Icon name={isFailure ? 'warn' : 'check'} />
        <span>{text}</span>
        <Button kind="quiet square" icon="close" label="Close the message" onClick={() => drop(id)} />
      </div>
    ))}
  </div>
);
