/** The live pictures of the active sessions. Only those on the screen are received. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSubscription } from '../connection/useResource.ts';
import { pageOf } from '../parts/format.ts';
import { type FrameData, PictureCanvas, useSeen } from '../parts/livePicture.tsx';
import { SessionStatus } from '../parts/sessionStatus.tsx';
import type { SessionRow } from './useSessionList.ts';

/** Width of the pictures in pixels, and their JPEG quality: a tile is never wider than 480. */
const TILE_WIDTH = 480;
const TILE_QUALITY = 50;

/** Shows each session of the list as a tile with its picture; reads more sessions when the reader comes to the end. @param loadMore reads the next page of sessions */
export function SessionGrid({
  rows,
  loadMore,
}: {
  rows: readonly SessionRow[];
  loadMore: () => void;
}): JSX.Element {
  const [end, isEndSeen] = useSeen();
  useEffect(() => {
    if (isEndSeen) loadMore();
  }, [isEndSeen, loadMore, rows.length]);
  return (
    <div class="scroll">
      <ul class="tiles" aria-label="Live pictures">
        {rows.map(row => (
          <Tile key={row.id} row={row} />
        ))}
      </ul>
      <div ref={end} />
    </div>
  );
}

function Tile({ row }: { row: SessionRow }): JSX.Element {
  const [watch, isSeen] = useSeen();
  const [frame, setFrame] = useState<FrameData | null>(null);
  const isLive = isSeen && row.status === 'ACTIVE' && row.url !== null;
  useSubscription(
    'DashFrames',
    isLive ? row.id : null,
    () => ({ sessionId: row.id, maxWidth: TILE_WIDTH, quality: TILE_QUALITY }),
    { onNext: ({ sessionFrames }) => setFrame(sessionFrames) },
  );
  const title = row.name ?? row.pageTitle ?? pageOf(row);
  return (
    <li ref={watch} class="tile">
      <a href={`/dashboard/sessions/${row.id}`}>
        <span class="tile-picture">
          {frame === null ? (
            <span class="tile-none">
              {row.status === 'ACTIVE' ? (row.url === null ? pageOf(row) : '') : 'Ended'}
            </span>
          ) : (
            <PictureCanvas frame={frame} label={`Picture of ${title}`} />
          )}
        </span>
        <span class="tile-title">
          <bdi>{title}</bdi>
        </span>
      </a>
      <SessionStatus session={row} />
    </li>
  );
}
