import type { Page } from 'playwright-core';

/** Lets a page consist of one module, whose top level says in the page's title that it has ended. */
export async function openProgram(
  page: Page,
  { url, script }: { url: string; script: string },
): Promise<void> {
  const html = `<!doctype html><link rel="icon" href="data:,"><title>running</title>
    <script type="module">
      import('/program.js').then(
        () => (document.title = 'ended'),
        (error) => (document.title = String(error)),
      );
    </script>`;
  await page.route(`${url}/`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.route(`${url}/program.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
}
