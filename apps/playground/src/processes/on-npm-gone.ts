/**
 * Calls back when the npm that started this process is gone: one that is killed with -9 cannot
 * pass on that it was.
 */
export function onNpmGone(callback: () => void): void {
  if (!process.env['npm_lifecycle_event']) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(timer);
    callback();
  }, 250);
  timer.unref();
}
