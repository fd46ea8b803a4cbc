/** Creates DOM elements. Strings become text nodes, so text from wallets and names cannot become markup. */

type Child = Node | string;

/**
 * Creates an element with attributes and children. Text children become text nodes, never markup.
 * @param attributes a function is a listener: `onclick` listens to `click`; a boolean sets or omits the attribute
 */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean | ((event: Event) => void)>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Creates a button that copies a text to the clipboard. @param text called at each click @param label the accessible name */
export function copyButton(text: () => string, label: string): HTMLButtonElement {
  const button = createElement('button', { type: 'button', class: 'copy', 'aria-label': label }, 'Copy');
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text()).then(
      () => {
        button.textContent = 'Copied';
      },
      () => {
        button.textContent = 'Copy failed: select the text';
      },
    );
  });
  return button;
}
