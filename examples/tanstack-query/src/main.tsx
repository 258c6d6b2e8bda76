import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PayButton } from './pay-button.tsx';
import { PaymentCount } from './payment-count.tsx';
import { createPayments } from './payments.ts';

const { queryClient, trpc } = createPayments('/trpc');

createRoot(document.querySelector('main')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <PayButton trpc={trpc} />
      <PaymentCount trpc={trpc} />
    </QueryClientProvider>
  </StrictMode>,
);
