import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface FrameData {
  readonly at: string;
  /** JPEG in Base64. */
  readonly image: string;
  readonly width: number;
  readonly height: number;
}

/** Draws frames; the newest one wins when they come faster than they can be decoded. */
export function PictureCanvas({ frame, label }: { frame: FrameData | null; label: string }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDrawing = useRef(false);
  const waiting = useRef<FrameData | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    waiting.current = frame;
    const draw = async () => {
      if (isDrawing.current) return;
      isDrawing.current = true;
      try {
        for (let next = waiting.current; next !== null; next = waiting.current) {
          waiting.current = null;
          const picture = await createImageBitmap(new Blob([bytesOf(next.image)], { type: 'image/jpeg' }));
          const target = canvas.current;
          if (target !== null) {
            target.width = picture.width;
            target.height = picture.height;
            target.getContext('2d')?.drawImage(picture, 0, 0);
          }
          picture.close();
          setBroken(false);
        }
      } catch (error) {
        // The picture before stays, and the next one is drawn.
        console.warn('A picture of the session cannot be decoded.', error);
        setBroken(true);
      } finally {
        isDrawing.current = false;
      }
    };
    void draw();
  }, [frame]);
  return (
    <>
      <canvas ref={canvas} class="picture" role="img" aria-label={label} width={16} height={10} />
      {isBroken && <p class="picture-message">This picture cannot be decoded. The next one is awaited.</p>}
    </>
  );
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), sign => sign.charCodeAt(0));

/** True while the element is on the screen, or near it. */
export function useSeen(): [(element: Element | null) => void, boolean] {
  const [isSeen, setSeen] = useState(false);
  const observer = useRef<IntersectionObserver | null>(null);
  const watch = useRef((element: Element | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    observer.current = new IntersectionObserver(entries => setSeen(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: '80px',
    });
    observer.current.observe(element);
  });
  return [watch.current, isSeen];
}
