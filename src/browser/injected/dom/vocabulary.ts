/**
 * Selectors of controls and fields, and the tags of what nobody reads. A module that means more or less than one of them says so where it
 * puts them together.
 */

/** Elements in which people enter or choose a value. */
export const FIELDS = 'input, select, textarea';
/** The same without those that nobody sees. */
export const SHOWN_FIELDS = 'input:not([type=hidden]), select, textarea';
export const EDITABLE = '[contenteditable]:not([contenteditable=false])';
export const DRAWN_TICKS = '[role=radio], [role=checkbox], [role=switch]';
/** Elements that people press or fill, by their tags. */
export const NATIVE_CONTROLS = `a[href], button, summary, ${FIELDS}`;
/** Elements that people press or fill, by their tags and by the roles that pages give them. */
export const CONTROLS = `${NATIVE_CONTROLS}, ${DRAWN_TICKS}, [role=button], [role=link], [role=tab], [role=option], [role=menuitem]`;
export const BUTTONS = 'button, [role=button], input[type=button], input[type=submit]';

/** Elements whose text belongs to programs and other documents. */
export const UNREAD_TAGS = ['script', 'style', 'noscript', 'template', 'iframe', 'object'] as const;
