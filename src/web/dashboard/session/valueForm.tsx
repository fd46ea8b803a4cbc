/** The form in which the value of an input is entered. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Performing } from './performing.ts';
import type { ActionData } from './useSession.ts';

/** @param uploads the files that a file input can take */
export function ValueForm({
  action,
  performing,
  uploads,
}: {
  action: ActionData;
  performing: Performing;
  uploads: readonly { readonly id: string; readonly name: string }[];
}): JSX.Element {
  const [param] = action.params;
  const type = param?.type ?? 'STRING';
  const hint = type === 'OPTION' || type === 'OPTIONS' ? '' : (param?.values.join(', ') ?? '');
  const isSecret = /password/i.test(`${action.role} ${action.description}`);
  const [value, setValue] = useState(() => firstValue(action));
  const [enter, setEnter] = useState(false);
  const send = async (text: string) => {
    if (await performing.step(action.id, { value: text, enter })) performing.opened.value = null;
  };
  const isBusy = performing.running.value !== null;
  const field = {
    autocomplete: 'off',
    spellcheck: false,
    'aria-label': `Value of ${action.id}`,
    placeholder: hint,
    value,
    onInput: (event: InputEvent) => setValue((event.currentTarget as HTMLInputElement).value),
  } as const;
  return (
    <form
      class="value-form"
      onSubmit={event => {
        event.preventDefault();
        void send(value);
      }}
      onKeyDown={event => {
        if (event.key === 'Escape') performing.opened.value = null;
      }}
    >
      {type === 'OPTION' || type === 'OPTIONS' ? (
        <select
          aria-label={`Value of ${action.id}`}
          multiple={type === 'OPTIONS'}
          onChange={event =>
            setValue([...event.currentTarget.selectedOptions].map(option => option.value).join('\n'))
          }
        >
          {param?.values.map(option => (
            <option key={option} value={option} selected={value.split('\n').includes(option)}>
              {option}
            </option>
          ))}
        </select>
      ) : type === 'BOOLEAN' ? (
        <select
          aria-label={`Value of ${action.id}`}
          value={value}
          onChange={event => setValue(event.currentTarget.value)}
        >
          <option value="true">on</option>
          <option value="false">off</option>
        </select>
      ) : type === 'FILE' ? (
        <select
          aria-label={`Upload for ${action.id}`}
          value={value}
          onChange={event => setValue(event.currentTarget.value)}
        >
          <option value="">Choose an upload</option>
          {uploads.map(({ id, name }) => (
            <option key={id} value={id}>
              {id} · {name}
            </option>
          ))}
        </select>
      ) : isSecret ? (
        <input type="password" {...field} />
      ) : (
        <input type="text" {...field} />
      )}
      <label class="check">
        <input type="checkbox" checked={enter} onChange={event => setEnter(event.currentTarget.checked)} />
        then press Enter
      </label>
      <button type="submit" class="button primary" disabled={isBusy}>
        {isBusy ? 'Setting…' : 'Set'}
      </button>
    </form>
  );
}

function firstValue({ params: [param], value, checked }: ActionData): string {
  if (param?.type === 'BOOLEAN') return checked === true ? 'false' : 'true';
  if (param?.type === 'OPTION') return value ?? param.values[0] ?? '';
  return param?.type === 'FILE' ? '' : (value ?? '');
}
