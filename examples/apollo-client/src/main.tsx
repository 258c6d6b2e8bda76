import { ApolloProvider } from '@apollo/client/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PayButton } from './pay-button.tsx';
import { PaymentList } from './payment-list.tsx';
import { client } from './payments.ts';

createRoot(document.querySelector('main')!).render(
  <StrictMode>
    <ApolloProvider client={client}>
      <PayButton />
      <PaymentList />
    </ApolloProvider>
  </StrictMode>,
);
