--- The language server: whom to ask, and its commands.

local M = {}

--- Say something in the plugin's name.
---@param text string
---@param level? integer
function M.say(text, level)
  vim.notify("reverie: " .. text, level)
end

--- The client of this buffer, or any; without one the reason is said.
---@param buffer? integer
---@return vim.lsp.Client?
function M.client(buffer)
  local found = vim.lsp.get_clients({ name = "reverie", bufnr = buffer })[1]
    or vim.lsp.get_clients({ name = "reverie" })[1]
  if not found then
    M.say(require("reverie.status").sentence(), vim.log.levels.WARN)
  end
  return found
end

--- Ask the server of the current buffer; a refusal is said.
---@param method string
---@param params table
---@param done? fun(result: any)
function M.ask(method, params, done)
  local server = M.client(vim.api.nvim_get_current_buf())
  if not server then
    return
  end
  server:request(method, params, function(problem, result)
    if problem then
      M.say(problem.message, vim.log.levels.WARN)
    elseif done then
      done(result ~= vim.NIL and result or nil)
    end
  end)
end

--- Carry out a command of the server.
---@param name string without the prefix `reverie.`
---@param argument? table
---@param done? fun(result: any)
function M.command(name, argument, done)
  M.ask("workspace/executeCommand", {
    command = "reverie." .. name,
    arguments = argument and { argument } or nil,
  }, done)
end

--- The handler of what the server says in answer to a command.
---@param params { type: integer, message: string }
function M.on_message(_, params)
  M.say(params.message, params.type <= 2 and vim.log.levels.WARN or vim.log.levels.INFO)
end

--- The handler of a question of the server's: a line that the user writes, or nothing.
---@param about { prompt: string }
function M.on_ask(_, about)
  local waiting = coroutine.running()
  vim.ui.input({ prompt = about.prompt .. " " }, function(written)
    vim.schedule(function() -- Neovim's own input calls back before this waits
      coroutine.resume(waiting, written or vim.NIL)
    end)
  end)
  return coroutine.yield()
end

return M
