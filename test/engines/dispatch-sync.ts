import type { Page } from 'playwright-core';

/**
 * Sends a service worker the event for which it would otherwise wait: until the browser believes
 * that there is a network, or for ever in one that was built without Background Sync.
 *
 * The page may be any of the profile, also an empty one.
 */
export async function dispatchSync(
  page: Page,
  { origin, tag }: { origin: string; tag: string },
): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (registration) resolve(registration.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const event = { origin, registrationId, tag, lastChance: false };
  await devtools.send('ServiceWorker.dispatchSyncEvent', event);
  await devtools.detach();
}
