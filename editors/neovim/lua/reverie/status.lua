--- The state of the daemon and the dream that is under way, as the server told them last.

local M = {}

---@class reverie.Status
---@field state "ready"|"degraded"|"away"|"starting"|"off"
---@field memories integer
---@field vectors string
---@field detail? string why no daemon could be started

---@class reverie.Dream
---@field token string|integer what the server knows it by
---@field said string how far it is

---@type reverie.Status
local OFF = { state = "off", memories = 0, vectors = "off" }
local status = OFF

---@type reverie.Dream?
local dreaming

---@return reverie.Status
function M.now()
  return status
end

--- The dream that is shown as under way.
---@return reverie.Dream?
function M.dreaming()
  return dreaming
end

--- For a statusline: `◦ 412` while memories can be shown, `◦ 412 · words` while they are
--- found by words only, `◦ 412 · connecting (2 of 5)` while there is a dream, `◦ –` while the
--- daemon is away, nothing without a server or while it starts.
---@return string
function M.line()
  if status.state == "off" or status.state == "starting" then
    return ""
  elseif status.state == "away" then
    return "◦ –"
  elseif dreaming then
    return ("◦ %d · %s"):format(status.memories, dreaming.said)
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

--- A dream began, is further, or ended; Neovim's own `LspProgress` hears of it as well.
---@param params { token: string|integer, value: table }
---@param context lsp.HandlerContext
function M.on_progress(problem, params, context)
  local value = params.value
  if value.kind == "end" then
    dreaming = nil
  else
    -- With a `%` a statusline would evaluate what follows.
    local said = (value.message or value.title or "dreaming"):gsub("%%", "")
    dreaming = { token = params.token, said = said }
  end
  tell()
  vim.lsp.handlers["$/progress"](problem, params, context)
end

--- A server begins; it tells the state when it knows it.
function M.on_start()
  status = { state = "starting", memories = 0, vectors = "off" }
  tell()
end

function M.on_exit()
  dreaming, status = nil, OFF
  tell()
end

return M
