--- `:Reverie`: its subcommands.

local server = require("reverie.server")
local status = require("reverie.status")

local M = {}

--- The memory that the line under the cursor mentions.
---@return table
local function here()
  return { uri = vim.uri_from_bufnr(0), line = vim.api.nvim_win_get_cursor(0)[1] - 1 }
end

---@param words string
---@param call vim.api.keyset.create_user_command.command_args
local function remember(words, call)
  local about = { uri = vim.uri_from_bufnr(0) }
  if words ~= "" then
    about.text = words
  else
    about.start, about["end"] = { call.line1 - 1, 0 }, { call.line2, 0 }
  end
  server.command("remember", about)
end

--- Show what is remembered about words: those that follow, or that are asked for.
---@param words string
local function search(words)
  local state = status.now().state
  if state ~= "ready" and state ~= "degraded" then
    return server.say(status.sentence(), vim.log.levels.WARN)
  elseif words ~= "" then
    return server.command("find", { query = words })
  end
  vim.ui.input({ prompt = "Memories about: " }, function(written)
    if written and vim.trim(written) ~= "" then
      search(vim.trim(written))
    end
  end)
end

---@type table<string, fun(words: string, call: vim.api.keyset.create_user_command.command_args)>
local subcommands = {
  search = search,
  remember = remember,
  useful = function() server.command("useful", here()) end,
  notuseful = function() server.command("notUseful", here()) end,
  mute = function() server.command("mute", here()) end,
  pin = function() server.command("pin", here()) end,
  forget = function() server.command("forget", here()) end,
  unforget = function() server.command("unforget") end,
  why = function() server.command("why", here()) end,
  about = function() server.command("about", here()) end,
  hints = function() server.command("toggleHints", nil, require("reverie.hints").switched) end,
}

--- Carry out what `:Reverie` was called with; without a word, say how things are.
---@param call vim.api.keyset.create_user_command.command_args
function M.run(call)
  local name = call.fargs[1]
  if not name then
    return server.say(status.sentence())
  end
  local run = subcommands[name]
  if not run then
    return server.say(("there is no :Reverie %s; see :help reverie"):format(name), vim.log.levels.WARN)
  end
  run(table.concat(call.fargs, " ", 2), call)
end

--- The subcommands that begin so; what follows them is anybody's.
---@param start string
---@param line string
---@return string[]
function M.complete(start, line)
  if line:find("Reverie%s+%S+%s") then
    return {}
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, start)
  end, vim.fn.sort(vim.tbl_keys(subcommands)))
end

return M
