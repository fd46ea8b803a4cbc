/** Elements made in one line. Text is set as text: nothing that a wallet or a name says becomes markup. */

type Child = Node | string;

/** @param facts attributes; `onclick` and the like are listeners */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  facts: Readonly<Record<string, string | boolean | ((event: Event) => void)>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, fact] of Object.entries(facts)) {
    if (typeof fact === 'function') element.addEventListener(name.slice(2), fact);
    else if (typeof fact === 'boolean') element.toggleAttribute(name, fact);
    else element.setAttribute(name, fact);
  }
  element.append(...children);
  return element;
}

/** A button that puts a text on the clipboard and says so. */
export function copyButton(text: () => string, label: string): HTMLButtonElement {
  const button = createElement('button', { type: 'button', class: 'copy', 'aria-label': label }, 'Copy');
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text()).then(
      () => {
        button.textContent = 'Copied';
      },
      () => {
        button.textContent = 'Select and copy it yourself';
      },
    );
  });
  return button;
}
