/** Tells whether the page takes files that are dragged over it. */

/** The last `dragover` event of the drag, and what it was sent to; null before there was one. */
const lastOver: { event: Event | null; target: EventTarget | null } = { event: null, target: null };

const keepEvent = (event: Event): void => {
  lastOver.event = event;
  [lastOver.target = null] = event.composedPath();
};

export function watchFileDrag(): void {
  lastOver.event = null;
  window.addEventListener('dragover', keepEvent, true);
}

/**
 * Ends `watchFileDrag`. Call it when the files have been dragged over their place: a page takes them if it prevents the default action of
 * `dragover`, as the standard of HTML has it, and a file input takes them itself.
 */
export function takesFileDrag(): boolean {
  window.removeEventListener('dragover', keepEvent, true);
  const { event, target } = lastOver;
  if (event === null) return false;
  return event.defaultPrevented || (target instanceof HTMLInputElement && target.type === 'file');
}
