/** Where a field says that its resolver runs once by itself. It survives other transforms. */
const extension = 'onceward';

interface Extended {
  readonly extensions?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The extensions of a field whose resolver is wrapped. */
export function wrappedExtensions({ extensions }: Extended): Record<string, unknown> {
  return { ...extensions, [extension]: { mode: 'field' } };
}

export function isWrapped({ extensions }: Extended): boolean {
  const { mode } = Object(extensions?.[extension]) as { mode?: unknown };
  return mode === 'field';
}
