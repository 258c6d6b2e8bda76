import { button, element, setText } from './element.ts';

/** A text that may be personal: shown when it is asked for, and not in the page before. */
export interface HiddenText {
  readonly element: HTMLElement;
  update(text: string | undefined): void;
}

export function createHiddenText(name: string): HiddenText {
  let text: string | undefined;
  let shown = false;
  const content = element('pre', { tabindex: '0', role: 'group', 'aria-label': name });
  const toggle = button('', () => {
    shown = !shown;
    show();
  });
  const whole = element('div', {}, [toggle, content]);
  show();
  return {
    element: whole,
    update(value) {
      text = value;
      show();
    },
  };

  function show(): void {
    whole.hidden = text === undefined;
    content.hidden = !shown;
    setText(content, shown ? (text ?? '') : '');
    setText(toggle, `${shown ? 'Hide' : 'Show'} ${name}`);
    toggle.setAttribute('aria-expanded', String(shown));
  }
}
