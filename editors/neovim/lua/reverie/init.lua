--- reverie in Neovim (0.11 or newer): hints, hovers, actions, search, and a word for the
--- statusline. Everything is decided by the language server; this file starts it, paints
--- its hints (reverie.hints) and opens its pages.

local M = {}

---@class reverie.Options
---@field cmd? string[] how the server is started
---@field settings? table the server's settings, without the prefix `reverie.`
---@field hints? boolean paint hints (default true)
---@field filetypes? string[] nil: every file that has a name
---@field root_markers? string[]

---@type reverie.Options
local options = {
  cmd = { "reverie", "lsp" },
  settings = {},
  hints = true,
  root_markers = { ".git" },
}

---@class reverie.Status
---@field state "ready"|"degraded"|"away"|"off"
---@field memories integer
---@field vectors string

---@type reverie.Status
local status = { state = "off", memories = 0, vectors = "off" }

--- The state of the daemon, as the server told it last.
---@return reverie.Status
function M.status()
  return status
end

---@class reverie.Dream
---@field token string|integer what the server knows it by
---@field said string how far it is

---@type reverie.Dream?
local dreaming

--- The dream that is shown as under way: `{ token, said }`.
---@return reverie.Dream?
function M.dreaming()
  return dreaming
end

--- For a statusline: `◦ 412` while memories can be shown, `◦ 412 · words` while they are
--- found by words only, `◦ 412 · connecting (2 of 5)` while there is a dream, `◦ –` while the
--- daemon is away, nothing without a server.
---@return string
function M.statusline()
  if status.state == "off" then
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

local function tell()
  vim.schedule(function()
    vim.cmd.redrawstatus({ bang = true })
    vim.api.nvim_exec_autocmds("User", { pattern = "ReverieStatus", modeline = false })
  end)
end

---@param told reverie.Status
local function on_status(_, told)
  status = told
  tell()
end

--- A dream began, is further, or ended; Neovim's own `LspProgress` hears of it as well.
---@param params { token: string|integer, value: table }
local function on_progress(problem, params, context)
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

--- The client of this buffer, or any.
---@param buffer? integer
---@return vim.lsp.Client?
local function client(buffer)
  return vim.lsp.get_clients({ name = "reverie", bufnr = buffer })[1]
    or vim.lsp.get_clients({ name = "reverie" })[1]
end

--- Carry out a command of the server.
---@param name string without the prefix `reverie.`
---@param argument? table
---@param done? fun(result: any)
function M.command(name, argument, done)
  local server = client(vim.api.nvim_get_current_buf())
  if not server then
    vim.notify("reverie: the language server is not running", vim.log.levels.WARN)
    return
  end
  server:request("workspace/executeCommand", {
    command = "reverie." .. name,
    arguments = argument and { argument } or nil,
  }, function(problem, result)
    if problem then
      vim.notify("reverie: " .. problem.message, vim.log.levels.ERROR)
    elseif done then
      done(result)
    end
  end)
end

--- The memory that the line under the cursor mentions.
---@return table
local function here()
  return { uri = vim.uri_from_bufnr(0), line = vim.api.nvim_win_get_cursor(0)[1] - 1 }
end

---@param first integer lines, from 1
---@param last integer
local function remember_lines(first, last)
  local lines = vim.api.nvim_buf_get_lines(0, first - 1, last, false)
  M.command("remember", { uri = vim.uri_from_bufnr(0), text = table.concat(lines, "\n") })
end

--- Search the memories; what is found is a quickfix list of their pages.
---@param words string
local function search(words)
  local server = client(vim.api.nvim_get_current_buf())
  if not server then
    vim.notify("reverie: the language server is not running", vim.log.levels.WARN)
    return
  end
  server:request("workspace/symbol", { query = words }, function(problem, found)
    if problem or not found or #found == 0 then
      vim.notify("reverie: " .. (problem and problem.message or "nothing is remembered about that"))
      return
    end
    local items = vim.lsp.util.symbols_to_items(found, 0, server.offset_encoding)
    vim.fn.setqflist({}, " ", { title = "reverie: " .. words, items = items })
    vim.cmd("botright copen")
  end)
end

--- Stop the dream that is shown.
local function stop()
  local server = client(vim.api.nvim_get_current_buf())
  if not server or not dreaming then
    vim.notify("reverie: no dream is under way here")
    return
  end
  server:notify("window/workDoneProgress/cancel", { token = dreaming.token })
end

--- Read the pages of plans and dreams anew that some window shows.
local function reload_pages()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if vim.startswith(vim.api.nvim_buf_get_name(buffer), "reverie://plan") then
      vim.api.nvim_buf_call(buffer, function()
        vim.cmd.edit()
      end)
    end
  end
end

--- Decide about a plan: the one of this number, or one that is chosen from those of a state.
---@param name string the server's command
---@param state string
---@return fun(words: string)
local function deciding(name, state)
  return function(words)
    local number = tonumber(words)
    if number then
      M.command(name, { id = number }, reload_pages)
      return
    elseif words ~= "" then
      vim.notify("reverie: a plan has a number", vim.log.levels.ERROR)
      return
    end
    M.command("showPlans", { state = state, show = false }, function(plans)
      if not plans or plans == vim.NIL or #plans == 0 then
        vim.notify("reverie: there is no such plan")
        return
      end
      vim.ui.select(plans, {
        prompt = "reverie: " .. name,
        format_item = function(plan)
          return ("%d: %s (%s)"):format(plan.id, plan.title, plan.reason)
        end,
      }, function(plan)
        if plan then
          M.command(name, { id = plan.id }, reload_pages)
        end
      end)
    end)
  end
end

---@param words string
local function numbered(words)
  return tonumber(words) and { id = tonumber(words) } or nil
end

local subcommands = {
  dream = function() M.command("dream") end,
  stop = stop,
  dreamt = function(words) M.command("showDream", numbered(words)) end,
  plans = function() M.command("showPlans") end,
  plan = function(words) M.command("showPlans", numbered(words)) end,
  apply = deciding("applyPlan", "open"),
  undo = deciding("undoPlan", "applied"),
  dismiss = deciding("dismissPlan", "open"),
  useful = function() M.command("useful", here()) end,
  notuseful = function() M.command("notUseful", here()) end,
  forget = function() M.command("forget", here()) end,
  unforget = function() M.command("unforget") end,
  why = function() M.command("why", here()) end,
  hints = function() M.command("toggleHints") end,
  search = search,
  remember = function(words, call)
    if words ~= "" then
      M.command("remember", { uri = vim.uri_from_bufnr(0), text = words })
    else
      remember_lines(call.line1, call.line2)
    end
  end,
}

local function on_command(call)
  local name = call.fargs[1]
  local run = subcommands[name]
  if not run then
    vim.notify("reverie: there is no " .. tostring(name), vim.log.levels.ERROR)
    return
  end
  run(table.concat(call.fargs, " ", 2), call)
end

--- Fill a buffer named `reverie://memory/ID.md` with the page of that memory.
---@param buffer integer
---@param uri string
local function open_page(buffer, uri)
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].undolevels = -1
  vim.bo[buffer].filetype = "markdown"
  local server = client()
  if not server then
    return
  end
  server:request("workspace/textDocumentContent", { uri = uri }, function(problem, result)
    if not vim.api.nvim_buf_is_valid(buffer) then
      return
    end
    local text = problem and problem.message or result.text
    vim.bo[buffer].modifiable = true
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, "\n", { trimempty = true }))
    vim.bo[buffer].modifiable = false
    vim.bo[buffer].modified = false
  end)
end

--- The configuration for `vim.lsp.config`.
---@return vim.lsp.Config
function M.config()
  local hints = require("reverie.hints")
  return {
    cmd = options.cmd,
    filetypes = options.filetypes,
    root_markers = options.root_markers,
    settings = { reverie = options.settings },
    init_options = { documents = true, symbols = "all" },
    handlers = {
      ["reverie/status"] = on_status,
      ["$/progress"] = on_progress,
      ["textDocument/inlayHint"] = hints.on_hints,
      ["workspace/inlayHint/refresh"] = hints.on_refresh,
    },
    on_attach = function(server, buffer)
      if options.hints then
        hints.attach(server, buffer)
      end
    end,
    on_exit = function()
      dreaming = nil
      on_status(nil, { state = "off", memories = 0, vectors = "off" })
    end,
  }
end

--- Set everything up and start the server for the files that are opened from now on.
---@param chosen? reverie.Options
function M.setup(chosen)
  options = vim.tbl_deep_extend("force", options, chosen or {})
  vim.api.nvim_create_user_command("Reverie", on_command, {
    nargs = "+",
    range = true,
    desc = "Memories: remember, useful, forget, why, search, …; dreams and plans: dream, plans, …",
    complete = function(start)
      return vim.tbl_filter(function(name)
        return vim.startswith(name, start)
      end, vim.fn.sort(vim.tbl_keys(subcommands)))
    end,
  })
  vim.api.nvim_create_autocmd("BufReadCmd", {
    group = vim.api.nvim_create_augroup("reverie.pages", { clear = true }),
    pattern = "reverie://*",
    callback = function(event)
      open_page(event.buf, event.match)
    end,
  })
  vim.lsp.config("reverie", M.config())
  vim.lsp.enable("reverie")
end

return M
