--- `:checkhealth reverie`: what must be there, from Neovim to the hints on a line.

local program = require("reverie.program")

local M = {}

local health = vim.health

---@return boolean whether the program is there
local function check_program()
  local cmd = program.command()
  if not cmd or (cmd[#cmd] ~= "lsp" and not program.missing()) then
    health.ok("the server is started in a way of yours")
    return true
  elseif program.missing() then
    health.error(("there is no program `%s` on Neovim's PATH"):format(cmd[1]), {
      "Install reverie (`uv tool install`, `pipx install`; its README says from where) and start Neovim again.",
      'Where it is elsewhere: require("reverie").setup({ cmd = { "/path/to/reverie", "lsp" } })',
    })
    return false
  end
  local version = program.version(cmd)
  if not version then
    health.warn(("`%s` does not tell its version"):format(table.concat(cmd, " ")), {
      "Run `reverie doctor` in a terminal.",
    })
    return true
  end
  health.ok(("reverie %s: %s"):format(version, vim.fn.exepath(cmd[1])))
  local client = vim.lsp.get_clients({ name = "reverie" })[1]
  local serves = client and (client.server_info or {}).version
  if serves and serves ~= version then
    health.warn(("the server that runs is %s"):format(serves), { "Start Neovim again." })
  end
  return true
end

---@return vim.lsp.Client?
local function check_server()
  local client = vim.lsp.get_clients({ name = "reverie" })[1]
  if client then
    health.ok("the language server runs")
  elseif not vim.lsp.is_enabled("reverie") then
    health.error("it is not switched on", { 'Put require("reverie").setup() into your init.lua.' })
  else
    health.warn("the language server does not run", {
      "It starts with the first file: open one.",
      "If one is open: " .. vim.lsp.log.get_filename() .. " says why it left.",
    })
  end
  return client
end

---@param status reverie.Status
local function check_daemon(status)
  if status.state == "starting" then
    health.info("the daemon starts: look again in a moment")
    return
  end
  if status.state == "away" or status.state == "off" then
    local why = status.detail and status.detail ~= "" and (": " .. status.detail) or ""
    health.error("the daemon does not answer" .. why, { "Run `reverie up`, then `reverie doctor`, in a terminal." })
    return
  end
  health.ok("the daemon answers; it has " .. require("reverie.status").count())
  if status.vectors == "ready" then
    health.ok("memories are found by meaning and words")
  elseif status.vectors == "building" then
    health.info("memories are found by words; finding them by meaning is being prepared")
  else
    health.warn("memories are found by words only", { "`reverie model setup` brings a model; hints need none." })
  end
end

---@param client vim.lsp.Client
local function check_hints(client)
  local hints = require("reverie.hints")
  local count = 0
  for buffer in pairs(client.attached_buffers) do
    count = count + #hints.painted(buffer)
  end
  if not require("reverie").paints() or vim.tbl_get(client.settings, "reverie", "hints") == false then
    health.info("hints are off in your configuration")
  elseif not hints.are_on() then
    health.info("hints are off until `:Reverie hints`")
  else
    health.ok(("hints are on; %d in view"):format(count))
  end
end

function M.check()
  health.start("reverie")
  if vim.fn.has("nvim-0.11") == 0 then
    health.error("Neovim 0.11 or newer is needed")
    return
  end
  local version = vim.version()
  health.ok(("Neovim %d.%d.%d"):format(version.major, version.minor, version.patch))
  local client = check_program() and check_server()
  if client then
    check_daemon(require("reverie").status())
    check_hints(client)
  end
end

return M
