/** Input events: what their listeners start is work of the step. */
export const INPUT_EVENTS =
  'pointerdown pointerup pointermove pointerover pointerenter mousedown mouseup mousemove mouseover mouseenter mouseout click dblclick contextmenu auxclick wheel scroll keydown keyup beforeinput input change submit focusin focusout dragstart drag dragover drop dragend paste popstate hashchange toggle'.split(
    ' ',
  );
