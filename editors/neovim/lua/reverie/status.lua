--- The state of the daemon, as the server told it last.

local M = {}

---@class reverie.Status
---@field state "ready"|"degraded"|"away"|"starting"|"off"
---@field memories integer
---@field vectors string
---@field detail? string why no daemon could be started

---@type reverie.Status
local OFF = { state = "off", memories = 0, vectors = "off" }
local status = OFF

---@return reverie.Status
function M.now()
  return status
end

--- For a statusline: `◦ 412` while memories can be shown, `◦ 412 · words` while they are
--- found by words only, `◦ –` while the daemon is away, nothing without a server or while it
--- starts.
---@return string
function M.line()
  if status.state == "off" or status.state == "starting" then
    return ""
  elseif status.state == "away" then
    return "◦ –"
  elseif status.vectors ~= "ready" then
    return ("◦ %d · words"):format(status.memories)
  end
  return ("◦ %d"):format(status.memories)
end

--- `1 memory`, `412 memories`.
---@return string
function M.count()
  return ("%d %s"):format(status.memories, status.memories == 1 and "memory" or "memories")
end

--- The same as a sentence.
---@return string
function M.sentence()
  if status.state == "off" then
    return "not running here; :checkhealth reverie says why"
  elseif status.state == "starting" then
    return "it starts: try again in a moment"
  elseif status.state == "away" then
    local why = (status.detail or "") ~= "" and status.detail or "start it with `reverie up`"
    return "the daemon is away; " .. why
  end
  local by = status.vectors == "ready" and "meaning and words" or "words"
  return ("%s, found by %s"):format(M.count(), by)
end

local function tell()
  vim.schedule(function()
    vim.cmd.redrawstatus({ bang = true })
    vim.api.nvim_exec_autocmds("User", { pattern = "ReverieStatus", modeline = false })
  end)
end

---@param told reverie.Status
function M.on_status(_, told)
  status = told
  tell()
end

--- A server begins; it tells the state when it knows it.
function M.on_start()
  status = { state = "starting", memories = 0, vectors = "off" }
  tell()
end

function M.on_exit()
  status = OFF
  tell()
end

return M
