import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchServer } from './ledger/server-view.ts';
import { tellOutcomes } from './network/deliver-once.ts';
import { resume } from './network/shop-clients.ts';
import { Playground } from './playground.tsx';

tellOutcomes();
resume();
watchServer();
createRoot(document.querySelector('#playground')!).render(
  <StrictMode>
    <Playground />
  </StrictMode>,
);
