/** The looks of the panel. Nothing of the page comes in, and nothing of this gets out. */
export const styles = `
:host { all: initial; color-scheme: light dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
aside {
  /* Also what a page says of every element, and this would inherit. */
  all: initial;
  --ground: #ffffff; --raised: #f3f4f6; --text: #1b1f24; --quiet: #4d5660; --line: #c6ccd3;
  --good: #14632f; --bad: #a01b1b; --busy: #7a4a00; --accent: #1f4fbf;
  position: fixed; z-index: 2147483646; inset: auto 0 0 0; padding: 8px;
  display: flex; flex-direction: column; gap: 8px; align-items: flex-end;
  pointer-events: none;
  color: var(--text); font: 13px/1.45 system-ui, sans-serif;
}
aside.bottom-left { align-items: flex-start; }
aside > * { pointer-events: auto; }
@media (prefers-color-scheme: dark) {
  aside {
    --ground: #15181d; --raised: #22272e; --text: #e8edf2; --quiet: #aab4bf; --line: #434b55;
    --good: #6fd493; --bad: #ff9c94; --busy: #f0c069; --accent: #9dbcff;
  }
}
button {
  min-height: 30px; padding: 3px 10px; border: 1px solid var(--line); border-radius: 6px;
  background: var(--raised); color: inherit; font: inherit; cursor: pointer;
}
button:disabled { color: var(--quiet); cursor: default; opacity: 0.75; }
button:focus-visible, summary:focus-visible, pre:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 1px;
}
.toggle { border-radius: 15px; background: var(--ground); box-shadow: 0 1px 4px rgb(0 0 0 / 0.3); }
.toggle[data-alert] { border-color: var(--bad); color: var(--bad); font-weight: 600; }
.panel {
  width: min(100%, 560px); max-height: min(70vh, 600px); overflow: auto; padding: 10px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--ground);
  box-shadow: 0 2px 12px rgb(0 0 0 / 0.3);
}
p, ol { margin: 0; }
ol { padding: 0; list-style: none; }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
.notice { margin-top: 8px; color: var(--bad); font-weight: 600; }
.intents:not(:empty) { margin-top: 8px; border-bottom: 1px solid var(--line); }
.intents > li { border-top: 1px solid var(--line); }
.intents:empty::after { content: 'Nothing was submitted yet.'; display: block; margin-top: 8px; }
summary { padding: 6px 2px; cursor: pointer; overflow-wrap: anywhere; }
code, pre { font: 12px/1.45 ui-monospace, monospace; }
code, .why, .facts { color: var(--quiet); }
.state { font-weight: 600; }
.state[data-state='succeeded'] { color: var(--good); }
.state[data-state='failed'], .state[data-state='unresolved'] { color: var(--bad); }
.state[data-state='waiting'], .state[data-state='sending'] { color: var(--busy); }
details > :not(summary) { margin: 0 2px 8px 14px; overflow-wrap: anywhere; }
.attempts > li[data-end='failed'], .attempts > li[data-end='dropped'] { color: var(--bad); }
pre {
  margin: 6px 0 0; padding: 6px; max-height: 160px; overflow: auto; border-radius: 6px;
  background: var(--raised); white-space: pre-wrap; overflow-wrap: anywhere;
}
.damaged { margin-top: 8px; color: var(--bad); }
`;
