import { attemptTtlMs, layout, recordFormat, unreadableRecord } from '../record-format.ts';
import { Script, type ScriptOptions } from '../script.ts';

/** A script that starts with the record already read: see {@link opening} and {@link words}. */
export function recordScript(body: string, options?: ScriptOptions): Script {
  return new Script(opening + withWords(body), options);
}

/**
 * The same for a script that starts an execution: a full server refuses it.
 *
 * The others are allowed to run then. What was started may finish, or its outcome would be lost
 * for the want of a few hundred bytes.
 */
export function grantingScript(body: string): Script {
  return new Script(opening + withWords(body), { whenFull: 'deny' });
}

/** Only the words that it uses: to define one in Lua takes as long as to use it. */
function withWords(body: string): string {
  return Object.entries(words).reduceRight(
    (text, [word, definition]) => (text.includes(`${word}(`) ? definition + text : text),
    body,
  );
}

/** From an offset that counts from 0 to Lua's, which count from 1. */
const at = (offset: number): number => offset + 1;

const opening = `
local record = redis.pcall('GET', KEYS[1])
-- Something else has the record's name.
if type(record) == 'table' then return record end
if record and string.byte(record, ${at(layout.format)}) ~= ${recordFormat} then
  return redis.error_reply('RECORDFORMAT ${unreadableRecord}')
end

local status, policy, attempt, keep_ms, moment, head_length, body
if record then
  status = string.sub(record, ${at(layout.status)}, ${at(layout.status)})
  policy = string.sub(record, ${at(layout.policy)}, ${at(layout.policy)})
  attempt, keep_ms, moment = struct.unpack('>I4dd', record, ${at(layout.attempt)})
  head_length = struct.unpack('>I2', record, ${at(layout.headLength)})
  body = string.sub(record, head_length + 1)
end
`;

/** What scripts say about a record. A word may use those above it. */
const words: Readonly<Record<string, string>> = {
  token_of: `
local function token_of(packed)
  return string.sub(packed, ${at(layout.token)}, ${layout.headLength})
end
`,
  is_held_by: `
local function is_held_by(token)
  return record and status == 'i' and token_of(record) == token
end
`,
  clock: `
local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`,
  lease_remaining: `
-- Above zero while the lease is live. The time to live counts down from ${attemptTtlMs}.
local function lease_remaining()
  local ttl = redis.call('PTTL', KEYS[1])
  if ttl < 0 then
    -- Taken away by hand, and the lease's age with it: start the lease again rather than guess.
    redis.call('PEXPIRE', KEYS[1], '${attemptTtlMs}')
    return moment
  end
  return moment - math.max(${attemptTtlMs} - ttl, 0)
end
`,
  with: `
local function with(new_status, new_moment, new_body)
  return string.sub(record, 1, ${layout.status}) .. new_status
    .. string.sub(record, ${at(layout.policy)}, ${layout.moment}) .. struct.pack('>d', new_moment)
    .. string.sub(record, ${at(layout.fingerprint)}, head_length) .. new_body
end
`,
  save_attempt: `
local function save_attempt(packed)
  redis.call('SET', KEYS[1], packed, 'PX', '${attemptTtlMs}')
end
`,
  become_unknown: `
-- Nothing expires an unknown record: only evidence settles it.
local function become_unknown()
  redis.call('SET', KEYS[1], with('u', clock(), body))
end
`,
  save_settled: `
-- How long the key must still be remembered once nobody executes it: from its own time or from
-- now, whichever is later. From now, because an attempt may have outlived the key's retention,
-- and whoever still waits for it must find its outcome; a forgotten opaque key would even execute
-- again.
local function save_settled(packed, now)
  local minted = now
  if string.byte(record, ${at(layout.names)}) == 0 then
    local high, low = struct.unpack('>I3I3', record, ${at(layout.names + 1)})
    minted = math.max(now, high * 16777216 + low)
  end
  local ttl = math.max(math.ceil(minted - now + keep_ms), 1)
  if ttl > ${attemptTtlMs} then
    redis.call('SET', KEYS[1], packed)
  else
    redis.call('SET', KEYS[1], packed, 'PX', string.format('%.0f', ttl))
  end
end
`,
  become_released: `
local function become_released()
  save_settled(with('r', 0, body), clock())
end
`,
  become_completed: `
local function become_completed(outcome, packed_retention, answer)
  local now = clock()
  save_settled(with(outcome, now + struct.unpack('>d', packed_retention), answer), now)
end
`,
};
