/** The list of actions, as the agent gets it: a click performs one, inputs take their value in place. */
import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { words } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Empty } from '../parts/states.tsx';
import type { Changes } from './pagePicture.tsx';
import type { Performing } from './performing.ts';
import type { ActionData, SpaceData } from './useSession.ts';
import { ValueForm } from './valueForm.tsx';

export interface ActionListProps {
  readonly space: SpaceData;
  readonly changes: Changes;
  readonly performing: Performing;
  /** Null while looking at the past. */
  readonly act: ((action: ActionData) => void) | null;
  readonly uploads: readonly { readonly id: string; readonly name: string }[];
}

export function ActionList({ space, changes, performing, act, uploads }: ActionListProps): JSX.Element {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const sections = useMemo(() => {
    const passing = space.actions.filter(
      ({ id, description, category }) =>
        wanted === '' ||
        id.toLowerCase() === wanted ||
        description.toLowerCase().includes(wanted) ||
        category.toLowerCase().includes(wanted),
    );
    return [...Map.groupBy(passing, ({ category }) => category)];
  }, [space, wanted]);
  useEffect(() => {
    const found = sections.flatMap(([, actions]) => actions.map(({ id }) => id));
    performing.found.value = wanted === '' ? null : new Set(found);
    return () => {
      performing.found.value = null;
    };
  }, [sections, wanted]);
  return (
    <div class="panel-body">
      <div class="panel-tools">
        <span class="field wide">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Search actions"
            aria-label="Search actions"
            value={search}
            onInput={event => setSearch(event.currentTarget.value)}
          />
        </span>
        <span class="count">
          {space.actions.length < space.totalActions
            ? `${space.actions.length} of ${space.totalActions}`
            : space.actions.length}
        </span>
      </div>
      <div class="scroll actions">
        {sections.length === 0 && (
          <Empty
            icon={wanted === '' ? 'boxes' : 'search'}
            title={wanted === '' ? 'This page has no actions' : 'No action matches'}
          />
        )}
        {sections.map(([category, actions]) => (
          <section key={category} aria-label={category}>
            <h2>
              <bdi>{category}</bdi>
            </h2>
            <ul>
              {actions.map(action => (
                <ActionRow
                  key={action.id}
                  action={action}
                  mark={
                    changes.added.has(action.id) ? 'added' : changes.changed.has(action.id) ? 'changed' : ''
                  }
                  performing={performing}
                  act={act}
                  uploads={uploads}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

interface ActionRowProps extends Pick<ActionListProps, 'performing' | 'act' | 'uploads'> {
  readonly action: ActionData;
  readonly mark: string;
}

function ActionRow({ action, mark, performing, act, uploads }: ActionRowProps): JSX.Element {
  const { hovered, running, opened } = performing;
  const state = useComputed(() =>
    running.value === action.id ? ' running' : hovered.value === action.id ? ' hovered' : '',
  );
  const isOpen = useComputed(() => opened.value === action.id);
  const row = useRef<HTMLLIElement>(null);
  const isInput = action.kind === 'INPUT';
  // Hovering the picture shows the row; hovering the row leaves the list where it is.
  useEffect(
    () =>
      hovered.subscribe(id => {
        if (id === action.id && row.current?.matches(':hover') === false)
          row.current.scrollIntoView({ block: 'nearest' });
      }),
    [hovered, action.id],
  );
  useEffect(() => {
    if (!isOpen.value) return;
    row.current?.scrollIntoView({ block: 'nearest' });
    row.current?.querySelector<HTMLElement>('form input, form select, form textarea')?.focus();
  }, [isOpen.value]);
  const text = rowText(action);
  return (
    <li
      ref={row}
      class={`action ${mark}${state.value}`}
      onMouseEnter={() => {
        hovered.value = action.id;
      }}
      onMouseLeave={() => {
        hovered.value = null;
      }}
    >
      <button
        type="button"
        class="action-button"
        disabled={act === null}
        aria-expanded={isInput && act !== null ? isOpen.value : undefined}
        onFocus={() => {
          hovered.value = action.id;
        }}
        onClick={() => act?.(action)}
      >
        <b class={`id k-${action.kind.toLowerCase()}`}>{action.id}</b>
        <span class="action-text">
          <bdi>{text}</bdi>
          {action.value !== null && action.value !== '' && <span class="value">{action.value}</span>}
        </span>
        <span class="action-role">
          {mark !== '' && <span class={`mark ${mark}`}>{mark === 'added' ? 'new' : 'changed'}</span>}
          {action.checked !== null && <span class="mark">{action.checked ? 'on' : 'off'}</span>}
          {action.status === 'VALID'
            ? (action.role ?? words(action.kind))
            : action.disabled
              ? 'disabled'
              : words(action.status)}
        </span>
      </button>
      {isOpen.value && act !== null && (
        <ValueForm action={action} performing={performing} uploads={uploads} />
      )}
    </li>
  );
}

/** The name of an element without what stands beside it in the row. */
const rowText = ({ name, description }: ActionData): string =>
  name === null || name === '' ? description : name;
