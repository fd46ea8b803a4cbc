/** The getter of `HTMLElement.editContext` (W3C EditContext API); undefined in a browser without it. */
const editContext = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'editContext')?.get;

/** Returns true for an element with an `EditContext`: it gets keys as an editable element does, and a script draws its text. */
export const hasEditContext = (element: Element): boolean =>
  element instanceof HTMLElement && (editContext?.call(element) ?? null) !== null;
