/** Input events: what their listeners start is work of the step. */
export const INPUT_EVENTS =
  'pointerdown pointerup pointermove pointerover pointerenter mousedown mouseup mousemove mouseover mouseenter mouseout click dblclick contextmenu auxclick wheel scroll keydown keyup beforeinput input change submit focusin focusout dragstart drag dragover drop dragend paste popstate hashchange toggle close'.split(
    ' ',
  );

/** Reports the events of an input that is in no document, such as that of a file chooser: they reach no window. Ignores other values. */
export function watchDetachedInput(element: unknown, listener: (event: Event) => void): void {
  if (element instanceof HTMLInputElement && !element.isConnected)
    for (const type of ['input', 'change']) element.addEventListener(type, listener, { capture: true });
}
