import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Console } from './console.tsx';

createRoot(document.querySelector('#console')!).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
