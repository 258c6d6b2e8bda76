/** What the page needs of react-dom, which brings no types. */
declare module 'react-dom/client' {
  import type { ReactNode } from 'react';

  export function createRoot(container: Element): { render(children: ReactNode): void };
}
