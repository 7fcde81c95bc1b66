--- reverie in Neovim (0.11 or newer): hints, hovers, actions, search, and a word for the
--- statusline. Everything is decided by the language server; this module configures it.

local program = require("reverie.program")
local server = require("reverie.server")
local status = require("reverie.status")

local M = {}

---@class reverie.Options
---@field cmd? string[] how the server is started
---@field settings? table the server's settings, without the prefix `reverie.`
---@field hints? boolean paint hints (default true)
---@field filetypes? string[] nil: every file that has a name
---@field root_markers? string[]

---@type reverie.Options
local options = {
  settings = {},
  hints = true,
  root_markers = { ".git" },
}

M.status = status.now
M.statusline = status.line
M.command = server.command

--- Whether hints are painted at all.
---@return boolean
function M.paints()
  return options.hints ~= false
end

--- The configuration for `vim.lsp.config`.
---@return vim.lsp.Config
function M.config()
  local hints = require("reverie.hints")
  program.complain_if_missing()
  return {
    cmd = options.cmd or program.default(),
    filetypes = options.filetypes,
    root_markers = options.root_markers,
    settings = { reverie = options.settings },
    init_options = { documents = true, asks = true },
    handlers = {
      ["reverie/status"] = status.on_status,
      ["reverie/ask"] = server.on_ask,
      ["window/showMessage"] = server.on_message,
      ["textDocument/inlayHint"] = hints.on_hints,
      ["workspace/inlayHint/refresh"] = hints.on_refresh,
    },
    on_attach = function(client, buffer)
      if M.paints() then
        hints.attach(client, buffer)
      end
    end,
    before_init = status.on_start,
    on_exit = status.on_exit,
  }
end

--- Choose options, and start the server for the files that are open and those opened later.
---@param chosen? reverie.Options
function M.setup(chosen)
  if vim.fn.has("nvim-0.11") == 0 then
    return program.too_old()
  end
  options = vim.tbl_deep_extend("force", options, chosen or {})
  vim.cmd.runtime("plugin/reverie.lua") -- not sourced where the path was extended after the start
  vim.lsp.config("reverie", M.config())
  vim.lsp.enable("reverie")
end

return M
