--- The program `reverie`: where it is, and a word, once, when it or Neovim will not do.

local M = {}

-- `uv tool` and `pipx` install here, and a Neovim that a desktop started has another PATH.
local USUAL = vim.fn.expand("~/.local/bin/reverie")

--- How the server is started unless `setup` says it.
---@return string[]
function M.default()
  local found = vim.fn.executable("reverie") == 1 or vim.fn.executable(USUAL) == 0
  return { found and "reverie" or USUAL, "lsp" }
end

--- How the server is started, when that is a command line.
---@return string[]?
function M.command()
  local cmd = (vim.lsp.config.reverie or {}).cmd
  return type(cmd) == "table" and cmd or nil
end

---@return boolean
function M.missing()
  local cmd = M.command()
  return cmd ~= nil and vim.fn.executable(cmd[1]) == 0
end

--- The version of the program; nil when it does not tell.
---@param cmd string[]
---@return string?
function M.version(cmd)
  local asked = vim.list_extend(vim.list_slice(cmd, 1, #cmd - 1), { "--version" })
  local fine, answer = pcall(function()
    return vim.system(asked, { text = true }):wait(10000)
  end)
  return fine and answer.code == 0 and vim.trim(answer.stdout):match("%S+$") or nil
end

--- Neovim starts no server whose program is missing, and says so in its log only.
function M.complain_if_missing()
  vim.schedule(function()
    if M.missing() then
      local cmd = assert(M.command())
      vim.notify_once(
        ("reverie: there is no program %s; :checkhealth reverie says what to do"):format(cmd[1]),
        vim.log.levels.WARN
      )
    end
  end)
end

function M.too_old()
  vim.notify_once(
    ("reverie needs Neovim 0.11 or newer; this is %s, so it shows nothing"):format(
      vim.fn.matchstr(vim.fn.execute("version"), [[v\zs\d\+\.\d\+\.\d\+]])
    ),
    vim.log.levels.WARN
  )
end

return M
