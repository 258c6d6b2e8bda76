import type { Statement } from './database.ts';

/**
 * The same statement with nothing but texts for parameters.
 *
 * Libraries choose a parameter's type by its value, by what the server says it is, or by what the
 * user has registered for it. All of them send a text as it is; from there on the server casts.
 */
export function withTextParameters(text: string, values: readonly unknown[]): TextStatement {
  // What takes no values may say `$1` in the body of a function, where it is none of ours.
  if (values.length === 0) return { text, values: [] };
  // `$4::bytea` becomes `$4::text::bytea`. Every parameter in this package has a cast.
  return { text: text.replaceAll(/\$\d+(?=::)/g, '$&::text'), values: values.map(toText) };
}

export interface TextStatement extends Statement {
  readonly values: (string | null)[];
}

/** A value as PostgreSQL reads it. */
export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `\\x${asBuffer(value).toString('hex')}`;
  if (Array.isArray(value)) return `{${value.map(toElement).join()}}`;
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      throw new TypeError(`A statement has no way to send a parameter of type ${typeof value}`);
  }
}

/** The same bytes, not a copy. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function toElement(value: unknown): string {
  const text = toText(value);
  return text === null ? 'null' : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
