import { attemptTtlMs, layout, recordFormat, unreadableRecord } from '../record-format.ts';
import { Script, type ScriptOptions } from '../script.ts';

/** A script that starts with the record already read: see {@link fields} and {@link words}. */
export function recordScript(body: string, options?: ScriptOptions): Script {
  const used = wordsOf(body);
  const reading = opening(Object.keys(fields).filter((field) => mentions(used + body, field)));
  return new Script(reading + body, { ...options, words: declaration + used });
}

/**
 * The same for a script that starts an execution: a full server refuses it.
 *
 * The others are allowed to run then. What was started may finish, or its outcome would be lost
 * for the want of a few hundred bytes.
 */
export function grantingScript(body: string): Script {
  return recordScript(body, { whenFull: 'deny' });
}

/** Only the words that it uses: to define one in Lua takes as long as to use it. */
function wordsOf(body: string): string {
  const used = Object.entries(words).reduceRight(
    (text, [word, definition]) => (text.includes(`${word}(`) ? definition + text : text),
    body,
  );
  return used.slice(0, used.length - body.length);
}

function mentions(lua: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(lua);
}

/** From an offset that counts from 0 to Lua's, which count from 1. */
const at = (offset: number): number => offset + 1;

/** What a record says. Only what a script mentions is read. */
const fields: Readonly<Record<string, string>> = {
  status: `string.sub(record, ${at(layout.status)}, ${at(layout.status)})`,
  policy: `string.sub(record, ${at(layout.policy)}, ${at(layout.policy)})`,
  attempt: `struct.unpack('>I4', record, ${at(layout.attempt)})`,
  keep_ms: `struct.unpack('>d', record, ${at(layout.keepMs)})`,
  moment: `struct.unpack('>d', record, ${at(layout.moment)})`,
  head_length: `struct.unpack('>I2', record, ${at(layout.headLength)})`,
  body: `string.sub(record, struct.unpack('>I2', record, ${at(layout.headLength)}) + 1)`,
};

const declaration = `local record, ${Object.keys(fields).join(', ')}\n`;

function opening(used: readonly string[]): string {
  return `
record = redis.pcall('GET', KEYS[1])
-- Something else has the record's name.
if type(record) == 'table' then return record end
if record and (string.byte(record, ${at(layout.format)}) ~= ${recordFormat} or #record < ${layout.names}) then
  return redis.error_reply('RECORDFORMAT ${unreadableRecord}')
end
if record then
${used.map((field) => `  ${field} = ${fields[field]}`).join('\n')}
else
  -- Or it would look like the one before it.
  ${used.join(', ')} = nil
end
`;
}

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
-- One moment for all that travel together.
local instant
local function clock()
  if not instant then
    local time = redis.call('TIME')
    instant = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return instant
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
-- Of one argument: see packCompletion.
local function become_completed(completion)
  local now = clock()
  local answer_expires_at = now + struct.unpack('>d', completion, 2)
  save_settled(with(string.sub(completion, 1, 1), answer_expires_at, string.sub(completion, 10)), now)
end
`,
};
