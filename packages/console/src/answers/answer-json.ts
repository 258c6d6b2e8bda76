import type { Refusal } from './refusal.ts';

/** JSON has no number for infinity: what never ends is `null`. */
export function answerJson(document: object, status = 200): Response {
  return new Response(JSON.stringify(document), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
}

export function answerRefusal({ status, code, field }: Refusal): Response {
  return answerJson({ error: code, ...(field === undefined ? {} : { field }) }, status);
}
