import type { NotReserved } from '@onceward/core/store';
import { layout } from '../record-format.ts';
import type { ResolvedRedisStoreOptions } from '../redis-store-options.ts';
import { runScript } from '../script.ts';
import { grantingScript } from './record-script.ts';

export type TakeOver =
  | { readonly kind: 'reserved'; readonly attempt: number; readonly progress: Uint8Array }
  | Extract<NotReserved, { kind: 'in-progress' | 'unknown' }>
  /** The record is no longer what the caller read. */
  | { readonly kind: 'look-again' };

/**
 * Asks for a record that was released or whose lease may have run out.
 *
 * The whole decision is made on the server: between our reading the record and this call, its
 * holder may have completed it and another attempt may have taken it.
 */
export async function takeOver(
  key: string,
  firstAttempt: Buffer,
  redis: ResolvedRedisStoreOptions,
): Promise<TakeOver> {
  const reply = await runScript(script, { key, args: [firstAttempt] }, redis);
  const [kind, number, progress] = reply as [Buffer, number, Buffer];
  switch (String(kind)) {
    case 'reserved':
      return { kind: 'reserved', attempt: Number(number), progress };
    case 'in-progress':
      return { kind: 'in-progress', retryAfterMs: Number(number) };
    case 'unknown':
      return { kind: 'unknown' };
    default:
      return { kind: 'look-again' };
  }
}

const script = grantingScript(`
local function fingerprint_of(packed)
  return string.sub(packed, ${layout.fingerprint + 1}, ${layout.token})
end
local function policy_of(packed)
  return string.sub(packed, ${layout.policy + 1}, ${layout.policy + 1})
end

local first = ARGV[1]
if not record or (status ~= 'i' and status ~= 'r') then return {'look-again'} end
if fingerprint_of(record) ~= fingerprint_of(first) then return {'look-again'} end

if token_of(record) == token_of(first) then
  if status == 'i' then return {'reserved', attempt, body} end
  -- A released token is never current again: the caller's next attempt brings a new one.
  return {'in-progress', 1}
end

if status == 'i' then
  local remaining = lease_remaining()
  if remaining > 0 then return {'in-progress', math.ceil(remaining)} end
  if policy == 'u' or policy_of(first) == 'u' then
    become_unknown()
    return {'unknown'}
  end
end

-- The longer of two promises about the key is kept.
local keep = math.max(keep_ms, (struct.unpack('>d', first, ${layout.keepMs + 1})))
save_attempt(string.sub(first, 1, ${layout.attempt}) .. struct.pack('>I4d', attempt + 1, keep)
  .. string.sub(first, ${layout.moment + 1}) .. body)
return {'reserved', attempt + 1, body}
`);
