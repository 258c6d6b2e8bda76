import { extname } from 'node:path';

/** The file of the page at a path below the console's own; `undefined` if there is none. */
export async function answerPage(path: string): Promise<Response | undefined> {
  // Loaded when it is first asked for: whoever only uses the API has no page in memory.
  const { default: files } = await import('#page-files');
  const name = path === '/' ? 'index.html' : path.slice(1);
  const type = types[extname(name)];
  if (!type || !Object.hasOwn(files, name)) return undefined;
  return new Response(files[name], { headers: { 'content-type': type } });
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};
