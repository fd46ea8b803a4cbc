import { useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type FrameData, PictureCanvas } from '../parts/livePicture.tsx';
import type { Performing } from './performing.ts';
import type { ActionData } from './useSession.ts';

/** The viewport of a session that has sent no frame yet, in CSS pixels. */
export const DEFAULT_SIZE = { width: 1280, height: 720 };

export interface Changes {
  readonly added: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
}

export const NO_CHANGES: Changes = { added: new Set(), changed: new Set() };

export interface PagePictureProps {
  readonly frame: FrameData | null;
  readonly recorded: string | null;
  readonly actions: readonly ActionData[];
  readonly changes: Changes;
  readonly showsBoxes: boolean;
  /** Null while looking at the past: then nothing can be performed. */
  readonly act: ((action: ActionData) => void) | null;
  readonly performing: Performing;
  readonly label: string;
  /** Said over an empty picture. */
  readonly message: string | null;
  /** The layer over the picture that takes input; absent for none. */
  readonly children?: ComponentChildren;
}

/** Draws the picture; without one, the boxes with their names, so that a moment without a picture can be seen too. */
export function PagePicture({
  frame,
  recorded,
  actions,
  changes,
  showsBoxes,
  act,
  performing,
  label,
  message,
  children,
}: PagePictureProps): JSX.Element {
  const { width, height } = frame ?? DEFAULT_SIZE;
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const picture = recorded === unreadable ? null : recorded;
  const isWire = frame === null && picture === null;
  const drawn = actions.filter(
    ({ bounds, inViewport, status }) => bounds !== null && inViewport && status !== 'CLIPPED',
  );
  return (
    <div
      class={isWire ? 'page-picture wire' : 'page-picture'}
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      {frame !== null ? (
        <PictureCanvas frame={frame} label={label} />
      ) : picture !== null ? (
        // The address of a picture ends after a while, and records are removed: then the boxes stand for it.
        <img class="picture" src={picture} alt={label} onError={() => setUnreadable(picture)} />
      ) : (
        <div class="picture" role="img" aria-label={label} />
      )}
      {(showsBoxes || isWire) && (
        // The list beside it is the same for the keyboard and for screen readers.
        <div class="boxes" aria-hidden="true">
          {drawn.map(action => (
            <Box
              key={action.id}
              action={action}
              size={{ width, height }}
              mark={changes.added.has(action.id) ? 'added' : changes.changed.has(action.id) ? 'changed' : ''}
              act={act}
              performing={performing}
              isWire={isWire}
            />
          ))}
        </div>
      )}
      {message !== null && <p class="picture-message">{message}</p>}
      {children}
    </div>
  );
}

interface BoxProps {
  readonly action: ActionData;
  readonly size: { readonly width: number; readonly height: number };
  readonly mark: string;
  readonly act: ((action: ActionData) => void) | null;
  readonly performing: Performing;
  readonly isWire: boolean;
}

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(3)}%`;

function Box({ action, size, mark, act, performing, isWire }: BoxProps): JSX.Element | null {
  const { hovered, running, found } = performing;
  const state = useComputed(() =>
    running.value === action.id ? ' running' : hovered.value === action.id ? ' hovered' : '',
  );
  const isMissed = useComputed(() => (found.value?.has(action.id) === false ? ' missed' : ''));
  const { bounds } = action;
  if (bounds === null) return null;
  // At the upper edge there is no place above the box.
  const isLow = bounds.y < 14;
  return (
    <button
      type="button"
      tabIndex={-1}
      class={`box k-${action.kind.toLowerCase()} ${mark}${state.value}${isMissed.value}${action.status === 'VALID' ? '' : ' blocked'}${isLow ? ' low' : ''}`}
      style={{
        left: percent(bounds.x, size.width),
        top: percent(bounds.y, size.height),
        width: percent(bounds.width, size.width),
        height: percent(bounds.height, size.height),
      }}
      disabled={act === null}
      onMouseEnter={() => {
        hovered.value = action.id;
      }}
      onMouseLeave={() => {
        if (hovered.value === action.id) hovered.value = null;
      }}
      onClick={() => act?.(action)}
    >
      <b>{action.id}</b>
      {isWire && <span>{action.name ?? action.description}</span>}
    </button>
  );
}
