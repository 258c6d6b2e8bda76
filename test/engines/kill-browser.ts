import type { BrowserContext } from 'playwright-core';

/** Ends every process of the browser as a crash would: none of them can write anything more. */
export async function killBrowser(context: BrowserContext): Promise<void> {
  const browser = context.browser();
  if (!browser) throw new Error('A context that was launched has a browser');
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  const closed = new Promise((resolve) => context.once('close', resolve));
  for (const { id } of processInfo) process.kill(id, 'SIGKILL');
  await closed;
}
