/** Leads through a list that is newest first. The cursors so far are the way back. */
export function Pages({
  cursors,
  next,
  onChange,
}: {
  cursors: readonly string[];
  /** Of the page after this one; `undefined` if there is none, or nobody knows yet. */
  next: string | undefined;
  onChange: (cursors: readonly string[]) => void;
}) {
  return (
    <p className="pages">
      <button
        type="button"
        className="small"
        disabled={cursors.length === 0}
        onClick={() => onChange(cursors.slice(0, -1))}
      >
        Newer
      </button>
      <button
        type="button"
        className="small"
        disabled={next === undefined}
        onClick={() => next !== undefined && onChange([...cursors, next])}
      >
        Older
      </button>
    </p>
  );
}
