/** What something is, in a word with a colour. */
export function State({ children }: { children: string }) {
  return (
    <span className="state" data-state={children}>
      {children}
    </span>
  );
}
