import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button, Check, submits } from '../parts/button.tsx';
import type { Performing } from './performing.ts';
import type { ActionData } from './useSession.ts';

interface Upload {
  readonly id: string;
  readonly name: string;
}

interface ValueFormProps {
  readonly action: ActionData;
  readonly performing: Performing;
  readonly uploads: readonly Upload[];
}

/** @param uploads the files that a file input can take */
export function ValueForm({ action, performing, uploads }: ValueFormProps): JSX.Element {
  const [param] = action.params;
  const type = param?.type ?? 'STRING';
  const choices = choicesOf(action, uploads);
  const label = type === 'FILE' ? `Upload for ${action.id}` : `Value of ${action.id}`;
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
    'aria-label': label,
    placeholder: param?.values.join(', ') ?? '',
    value,
    onInput: (event: InputEvent) => setValue((event.currentTarget as HTMLInputElement).value),
  } as const;
  return (
    <form
      class="value-form"
      onSubmit={submits(() => send(value))}
      onKeyDown={event => {
        if (event.key === 'Escape') performing.opened.value = null;
      }}
    >
      {choices !== null ? (
        <select
          aria-label={label}
          multiple={type === 'OPTIONS'}
          onChange={event =>
            setValue([...event.currentTarget.selectedOptions].map(option => option.value).join('\n'))
          }
        >
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice} selected={value.split('\n').includes(choice)}>
              {text}
            </option>
          ))}
        </select>
      ) : isSecret ? (
        <input type="password" {...field} />
      ) : (
        <input type="text" {...field} />
      )}
      <Check isOn={enter} set={setEnter}>
        then press Enter
      </Check>
      <Button kind="primary" type="submit" disabled={isBusy}>
        {isBusy ? 'Setting…' : 'Set'}
      </Button>
    </form>
  );
}

function firstValue({ params: [param], value, checked }: ActionData): string {
  if (param?.type === 'BOOLEAN') return checked === true ? 'false' : 'true';
  if (param?.type === 'OPTION') return value ?? param.values[0] ?? '';
  return param?.type === 'FILE' ? '' : (value ?? '');
}

/** The values that can be chosen, each with its text; null if the value is entered. */
function choicesOf(
  { params: [param] }: ActionData,
  uploads: readonly Upload[],
): readonly (readonly [value: string, text: string])[] | null {
  switch (param?.type) {
    case 'OPTION':
    case 'OPTIONS':
      return param.values.map(option => [option, option]);
    case 'BOOLEAN':
      return [
        ['true', 'on'],
        ['false', 'off'],
      ];
    case 'FILE':
      return [['', 'Choose an upload'], ...uploads.map(({ id, name }) => [id, `${id} · ${name}`] as const)];
    default:
      return null;
  }
}
