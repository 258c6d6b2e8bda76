/**
 * What a person wrote down as evidence: JSON if it is an object or a list, else the words themselves.
 *
 * `undefined` if it was meant to be JSON and is not. That it says anything is for the caller to check.
 */
export function evidenceFromText(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
