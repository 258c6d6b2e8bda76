// A page whose requests go through the service worker of `workbox-worker.ts`.
export async function start(): Promise<void> {
  const claimed = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
  });
  await navigator.serviceWorker.register('/worker.js');
  if (!navigator.serviceWorker.controller) await claimed;
}

export function pay(note: string): void {
  fetch('/pay', { method: 'POST', body: JSON.stringify({ note }) }).catch(() => {});
}
