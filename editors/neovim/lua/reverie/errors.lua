--- Tells the server at which lines other tools see an error, which no language server can see by
--- itself: a memory that was read there may have helped when a save ends it. Lines, never texts.

local M = {}

local group = vim.api.nvim_create_augroup("reverie.errors", { clear = true })

--- The lines that were told of each buffer, as one word.
---@type table<integer, string>
local told = {}

---@param server vim.lsp.Client
---@param buffer integer
local function tell(server, buffer)
  local lines = {}
  for _, found in ipairs(vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })) do
    lines[#lines + 1] = found.lnum
  end
  local said = table.concat(lines, ",")
  if said ~= (told[buffer] or "") then
    told[buffer] = said
    server:notify("reverie/errors", { uri = vim.uri_from_bufnr(buffer), lines = lines })
  end
end

--- Tell this server what is wrong in this buffer, now and from now on.
---@param server vim.lsp.Client
---@param buffer integer
function M.attach(server, buffer)
  told[buffer] = nil
  tell(server, buffer)
end

vim.api.nvim_create_autocmd("DiagnosticChanged", {
  group = group,
  callback = function(event)
    local server = vim.lsp.get_clients({ name = "reverie", bufnr = event.buf })[1]
    if server and vim.api.nvim_buf_is_loaded(event.buf) then
      tell(server, event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd("LspDetach", {
  group = group,
  callback = function(event)
    local server = vim.lsp.get_client_by_id(event.data.client_id)
    if server and server.name == "reverie" then
      told[event.buf] = nil
    end
  end,
})

return M
