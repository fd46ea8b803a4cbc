import type { ButtonHTMLAttributes, ComponentChildren, JSX, TargetedEvent } from 'preact';
import { Icon, type IconName } from './icons.tsx';

/** `kind`: `primary`, `quiet`, `danger`, `square`. `label`: its name for a screen reader, where its text does not say enough. */
export const Button = ({
  kind = '',
  icon,
  label,
  children,
  ...attributes
}: {
  kind?: string;
  icon?: IconName | undefined;
  label?: string | undefined;
} & Omit<ButtonHTMLAttributes, 'class' | 'label' | 'icon'>): JSX.Element => (
  <button type="button" class={`button ${kind}`} aria-label={label} {...attributes}>
    {icon !== undefined && <Icon name={icon} />} {children}
  </button>
);

/** Returns what a form does in place of being sent by the browser. */
export const submits =
  (work: (form: HTMLFormElement) => unknown) =>
  (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void work(event.currentTarget);
  };

interface CheckProps {
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
  readonly children: ComponentChildren;
}

export const Check = ({ isOn, set, children }: CheckProps): JSX.Element => (
  <label class="check">
    <input type="checkbox" checked={isOn} onChange={event => set(event.currentTarget.checked)} /> {children}
  </label>
);

export const Switch = <Name extends string>({
  label,
  names,
  chosen,
  choose,
}: {
  label: string;
  names: readonly Name[];
  chosen: Name;
  choose: (name: Name) => void;
}): JSX.Element => (
  <div class="switch" role="group" aria-label={label}>
    {names.map(name => (
      <button
        key={name}
        type="button"
        class={name === chosen ? 'on' : ''}
        aria-pressed={name === chosen}
        onClick={() => choose(name)}
      >
        {name}
      </button>
    ))}
  </div>
);
