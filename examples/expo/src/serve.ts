import { createServer } from 'node:http';
import { createPaymentsServer } from './payments-server.ts';

createServer(createPaymentsServer()).listen(3000, () => console.log('Payments on port 3000'));
