// Workbox's queue for Background Sync, as its documentation shows it.
import { Queue } from 'workbox-background-sync';

/** What of a service worker is used here; its types and those of a page exclude each other. */
interface Worker {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

const worker = globalThis as unknown as Worker;
const queue = new Queue('payments');

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('fetch', (event) => {
  if (event.request.method === 'POST') event.respondWith(sendOrQueue(event.request));
});

async function sendOrQueue(request: Request): Promise<Response> {
  try {
    return await fetch(request.clone());
  } catch (error) {
    await queue.pushRequest({ request });
    throw error;
  }
}
