/** Makes an element. Text only, never markup: names and inputs come from anywhere. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function button(text: string, pressed: () => unknown): HTMLButtonElement {
  const made = element('button', { type: 'button' }, [text]);
  made.addEventListener('click', () => void pressed());
  return made;
}

/** Writes only what is new, so that nobody who reads it, or hears it read, is disturbed. */
export function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
