import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PayButton } from './pay-button.tsx';
import { PaymentCount } from './payment-count.tsx';
import { queryClient } from './payments.ts';
import { PendingPayments } from './pending-payments.tsx';

createRoot(document.querySelector('main')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <PayButton />
      <PaymentCount />
      <PendingPayments />
    </QueryClientProvider>
  </StrictMode>,
);
